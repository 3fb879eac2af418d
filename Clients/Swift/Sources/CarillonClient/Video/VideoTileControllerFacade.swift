/// Binds, pauses and watches tiles. Used on main.
public protocol VideoTileControllerFacade: AnyObject, Sendable {
  /// Shows a tile in a view, and neither elsewhere. Without effect on a tile that is not there.
  func bindVideoView(videoView: any VideoRenderView, tileId: Int)

  /// Shows a tile nowhere. Its video still comes: pause the tile to spare that.
  func unbindVideoView(tileId: Int)

  /// Adds an observer in any state; it hears what happens from now on.
  func addVideoTileObserver(observer: any VideoTileObserver)

  func removeVideoTileObserver(observer: any VideoTileObserver)

  /// Asks the server not to send a remote video. Hides what the network does to it meanwhile.
  func pauseRemoteVideoTile(tileId: Int)

  /// Asks the server to send a remote video again, if the user paused it.
  func resumeRemoteVideoTile(tileId: Int)
}
