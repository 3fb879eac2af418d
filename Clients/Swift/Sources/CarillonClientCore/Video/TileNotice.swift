/// What the server says of a tile of this session. Frames are another matter: see `MediaTracks`.
enum TileNotice: Hashable, Sendable {
  /// The session has the tile, in this state. Its video moves when frames come.
  case shown(tileId: Int, attendeeId: String, VideoPauseState)
  /// Nothing comes any more.
  case ended(tileId: Int)
}
