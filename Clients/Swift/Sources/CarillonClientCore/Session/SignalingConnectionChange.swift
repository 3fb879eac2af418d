/// A change of the signaling connection. This connection carries all data except media.
enum SignalingConnectionChange: Hashable, Sendable {
  /// The connection is opening, for the first time or again.
  case opening
  case opened
  case dropped(SignalingDroppedError)
}
