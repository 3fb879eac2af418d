/// A change of the signaling connection, which carries everything but media.
enum SignalingChange: Hashable, Sendable {
  /// It is opening, for the first time or again.
  case opening
  case opened
  case dropped(SignalingDroppedError)
}
