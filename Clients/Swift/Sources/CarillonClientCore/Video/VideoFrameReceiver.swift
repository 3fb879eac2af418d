/// The receiver of a session's frames. The media engine calls the methods of this receiver on the
/// main thread.
///
/// `TileNotice` reports which tiles exist, and why a tile is paused.
protocol VideoFrameReceiver: AnyObject, Sendable {
  /// Receives a frame of a remote track. Has no effect if the session does not have the tile.
  func receive(_ frame: VideoFrame, of tileId: Int)

  /// Receives the size of a remote frame that the client does not decode. Has no effect if the
  /// session does not have the tile.
  func receiveEncoded(width: Int, height: Int, of tileId: Int)

  /// Receives a frame of the local video. Has no effect while the local video has no tile.
  func receiveLocal(_ frame: VideoFrame)
}
