/// Where the media side of a session brings its frames. Called on main.
///
/// Which tiles there are and why they are paused does not come from there: see `TileNotice`.
protocol MediaTracks: AnyObject, Sendable {
  /// A frame of a remote track. Without effect for a tile that the session does not have, or does
  /// not have any more.
  func receive(_ frame: VideoFrame, of tileId: Int)

  /// A frame of the local video. Without effect while it has no tile.
  func receiveLocal(_ frame: VideoFrame)
}
