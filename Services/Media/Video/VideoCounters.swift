/// Counts of a router since its start.
struct VideoCounters: Hashable, Sendable {
  /// Packets of publishers that were accepted.
  var received: UInt64 = 0

  /// Packets of publishers that waited for a decision.
  var early: UInt64 = 0

  /// Forwarded packets, counted once for each receiver.
  var forwarded: UInt64 = 0

  /// Packets that were retransmitted because a receiver requested them.
  var resent: UInt64 = 0

  /// Requested packets that were not retransmitted: no longer stored, over budget, or requested too
  /// often.
  var unanswered: UInt64 = 0

  /// Packets that were requested again from publishers.
  var asked: UInt64 = 0

  /// Key frame requests that were sent to publishers.
  var keyFrameRequests: UInt64 = 0

  /// Packets of padding.
  var padding: UInt64 = 0

  /// Times that a tile was held because a receiver's link had no room.
  var held: UInt64 = 0

  private(set) var refused: [VideoRefusal: UInt64] = [:]

  mutating func refuse(_ reason: VideoRefusal) {
    refused[reason, default: 0] += 1
  }
}
