/// Whether a tile moves. The raw values are the facade's.
public enum TilePauseState: Int32, CaseIterable, Hashable, Sendable {
  /// It moves, when its publisher sends.
  case unpaused = 0
  /// The user paused it. This hides the next one.
  case pausedByUserRequest = 1
  /// Even the lowest layer does not fit.
  case pausedForPoorConnection = 2
}
