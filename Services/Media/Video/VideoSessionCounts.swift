/// What a ``VideoRouter`` sent to one session, since it was first sent any of it.
struct VideoSessionCounts: Hashable, Sendable {
  /// Packets that were sent again because it asked.
  var retransmitted = 0

  /// Requests for key frames.
  var keyFrameRequests = 0
}
