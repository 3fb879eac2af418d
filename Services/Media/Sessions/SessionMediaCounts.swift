/// Counts of one session's media.
struct SessionMediaCounts: Hashable, Sendable {
  /// Packets to the client that `media` dropped because the client's connection was too slow.
  var dropped: UInt64 = 0

  /// Packets that were malformed or not allowed, or had a wrong SSRC or type.
  var refused: UInt64 = 0

  /// Concealed audio packets of the client.
  var concealed = 0

  /// Concealed audio packets of other participants in the client's mix.
  var heardConcealed = 0

  /// Video packets that `media` sent to the client again.
  var retransmitted = 0

  /// Key frame requests that `media` sent to the client.
  var keyFrameRequests = 0

  /// Returns the difference from earlier counts.
  func since(_ former: SessionMediaCounts) -> SessionMediaCounts {
    SessionMediaCounts(
      dropped: dropped - former.dropped, refused: refused - former.refused,
      concealed: concealed - former.concealed,
      heardConcealed: heardConcealed - former.heardConcealed,
      retransmitted: retransmitted - former.retransmitted,
      keyFrameRequests: keyFrameRequests - former.keyFrameRequests)
  }
}
