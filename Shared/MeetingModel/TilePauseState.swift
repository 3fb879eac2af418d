/// The pause state of a tile; the raw values are those of the client libraries' facade.
public enum TilePauseState: Int32, CaseIterable, Hashable, Sendable {
  /// The tile shows its publisher's video.
  case unpaused = 0
  /// The user paused the tile. This state takes precedence over `pausedForPoorConnection`.
  case pausedByUserRequest = 1
  /// Even the lowest layer exceeds the bandwidth.
  case pausedForPoorConnection = 2
}
