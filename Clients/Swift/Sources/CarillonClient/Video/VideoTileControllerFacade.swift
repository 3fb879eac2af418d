/// Binds, pauses and watches tiles. Used on main.
public protocol VideoTileControllerFacade: AnyObject, Sendable {
  /// Shows a tile in a view, and neither elsewhere. Not available yet.
  func bindVideoView(videoView: any VideoRenderView, tileId: Int)

  /// Shows a tile nowhere. Not available yet.
  func unbindVideoView(tileId: Int)

  /// Adds an observer in any state; it hears what happens from now on.
  func addVideoTileObserver(observer: any VideoTileObserver)

  func removeVideoTileObserver(observer: any VideoTileObserver)

  /// Asks the server not to send a remote video. Not available yet.
  func pauseRemoteVideoTile(tileId: Int)

  /// Asks the server to send a remote video again. Not available yet.
  func resumeRemoteVideoTile(tileId: Int)
}
