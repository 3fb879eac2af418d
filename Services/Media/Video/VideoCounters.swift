/// The counts of a router since its start.
struct VideoCounters: Hashable, Sendable {
  /// Accepted packets of publishers.
  var received: UInt64 = 0

  /// Packets of publishers that waited for a decision.
  var early: UInt64 = 0

  /// Forwarded packets, counted once for each receiver.
  var forwarded: UInt64 = 0

  /// Packets that the router sent again at a receiver's request.
  var resent: UInt64 = 0

  /// Requested packets that the router did not send again: the router no longer stored these
  /// packets, or the requests exceeded a limit.
  var unanswered: UInt64 = 0

  /// Lost packets that the router requested from publishers.
  var asked: UInt64 = 0

  /// Key frame requests that the router sent to publishers.
  var keyFrameRequests: UInt64 = 0

  /// Key frame requests of receivers.
  var keyFrameRequestsReceived: UInt64 = 0

  /// Padding packets.
  var padding: UInt64 = 0

  /// The number of times that the router stopped a tile because a receiver's link had no room.
  var held: UInt64 = 0

  private(set) var refused: [VideoRefusal: UInt64] = [:]

  mutating func refuse(_ reason: VideoRefusal) {
    refused[reason, default: 0] += 1
  }
}
