/// What becomes of the connection over which a session is told everything but media.
enum SignalingChange: Hashable, Sendable {
  /// It is being opened: for the first time, or again.
  case opening
  case opened
  case dropped(SignalingDroppedError)
}
