/// Counts of the packets that a ``VideoRouter`` sent to one session.
struct VideoSessionCounts: Hashable, Sendable {
  /// Packets that were retransmitted at its request.
  var retransmitted = 0

  /// Key frame requests that were sent to the session.
  var keyFrameRequests = 0
}
