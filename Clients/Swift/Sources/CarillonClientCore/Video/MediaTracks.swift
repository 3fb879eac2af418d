/// The receiver of a session's frames. Called on main.
///
/// `TileNotice` reports which tiles exist and why they are paused.
protocol MediaTracks: AnyObject, Sendable {
  /// Receives a frame of a remote track. Without effect if the session does not have the tile.
  func receive(_ frame: VideoFrame, of tileId: Int)

  /// Receives a frame of the local video. Without effect while it has no tile.
  func receiveLocal(_ frame: VideoFrame)
}
