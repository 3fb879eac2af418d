/// Whether a tile moves.
enum PauseState: Hashable, Sendable {
  /// It moves, when its publisher sends.
  case unpaused
  /// Hides the next one.
  case pausedByUserRequest
  /// Even the lowest layer does not fit.
  case pausedForPoorConnection
}
