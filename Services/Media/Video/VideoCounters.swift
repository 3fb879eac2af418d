/// What a router did since the beginning.
struct VideoCounters: Hashable, Sendable {
  /// Packets of publishers that were taken in.
  var received: UInt64 = 0

  /// Packets of publishers that waited for a decision.
  var early: UInt64 = 0

  /// Sent, once for each receiver.
  var forwarded: UInt64 = 0

  /// Sent again because a receiver asked.
  var resent: UInt64 = 0

  /// Asked for by a receiver and not sent again: not here any more, or too often.
  var unanswered: UInt64 = 0

  /// Packets that publishers were asked for again.
  var asked: UInt64 = 0

  /// Sent to publishers.
  var keyFrameRequests: UInt64 = 0

  /// Packets of padding.
  var padding: UInt64 = 0

  /// Times that the frames of a tile were left out because a receiver's link had no room.
  var held: UInt64 = 0

  private(set) var refused: [VideoRefusal: UInt64] = [:]

  mutating func refuse(_ reason: VideoRefusal) {
    refused[reason, default: 0] += 1
  }
}
