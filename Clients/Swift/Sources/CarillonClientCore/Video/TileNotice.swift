/// The server's report about a tile of this session. `VideoFrameReceiver` receives the tile's
/// frames.
enum TileNotice: Hashable, Sendable {
  /// The session has the tile, in this state. Frames arrive separately.
  case shown(tileId: Int, attendeeId: String, VideoPauseState)
  /// The tile has ended. No further frames arrive.
  case ended(tileId: Int)
}
