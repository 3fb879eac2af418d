/// Counts of one session's media.
struct SessionCounts: Hashable, Sendable {
  /// Packets to the client that were dropped because its connection was too slow.
  var dropped: UInt64 = 0

  /// Packets that were malformed, of a wrong SSRC or type, or not allowed.
  var refused: UInt64 = 0

  /// Audio packets of its own that were concealed.
  var concealed = 0

  /// Audio packets of others that were concealed in its mix.
  var heardConcealed = 0

  /// Video packets that were retransmitted to the client.
  var retransmitted = 0

  /// Key frame requests that were sent to the client.
  var keyFrameRequests = 0

  /// The difference from an earlier count.
  func since(_ former: SessionCounts) -> SessionCounts {
    SessionCounts(
      dropped: dropped - former.dropped, refused: refused - former.refused,
      concealed: concealed - former.concealed,
      heardConcealed: heardConcealed - former.heardConcealed,
      retransmitted: retransmitted - former.retransmitted,
      keyFrameRequests: keyFrameRequests - former.keyFrameRequests)
  }
}
