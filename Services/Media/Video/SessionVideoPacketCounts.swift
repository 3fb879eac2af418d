/// The counts of packets that a ``VideoRouter`` sent to one session.
struct SessionVideoPacketCounts: Hashable, Sendable {
  /// Packets that the router sent again at the session's request.
  var retransmitted = 0

  /// Key frame requests that the router sent to the session.
  var keyFrameRequests = 0
}
