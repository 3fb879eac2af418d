/// The calls that bind, pause and observe video tiles. The application makes all these calls on the
/// main thread.
public protocol VideoTileControllerFacade: AnyObject, Sendable {
  /// Binds a view to a tile. First unbinds the view from its former tile, and the tile from its
  /// former view.
  ///
  /// If the tile does not exist, only unbinds the view.
  func bindVideoView(videoView: any VideoRenderView, tileId: Int)

  /// Unbinds a tile from its view.
  ///
  /// The tile's video still arrives. Pause the tile to stop the video.
  func unbindVideoView(tileId: Int)

  /// Adds an observer, in any state. The observer receives all later events.
  func addVideoTileObserver(observer: any VideoTileObserver)

  /// Removes an observer. Has no effect if the application has not added the observer.
  func removeVideoTileObserver(observer: any VideoTileObserver)

  /// Pauses a remote video. The server stops sending the video.
  ///
  /// During this pause, the application receives no reports that the server paused the video
  /// because bandwidth is short.
  func pauseRemoteVideoTile(tileId: Int)

  /// Resumes a remote video that the user paused. The server sends the video again.
  func resumeRemoteVideoTile(tileId: Int)
}

/// An observer of video tiles. The library makes all calls on the main thread.
public protocol VideoTileObserver: AnyObject {
  /// The session has added a tile. The application can bind a view to this tile.
  func videoTileDidAdd(tileState: VideoTileState)

  /// The session has removed a tile.
  func videoTileDidRemove(tileState: VideoTileState)

  /// The application has paused a tile, or the server has paused the tile because bandwidth is
  /// short.
  func videoTileDidPause(tileState: VideoTileState)

  /// The application or the server has resumed a tile.
  func videoTileDidResume(tileState: VideoTileState)

  /// The size of a tile's video changed.
  func videoTileSizeDidChange(tileState: VideoTileState)
}

/// A controller that creates a tile after the report of a frame or of a pause.
public protocol VideoTileController: VideoTileControllerFacade {
  /// Handles a report. A report without a frame and without a pause ends the tile.
  ///
  /// - Parameter attendeeId: The sender's attendee id; `nil` for the local attendee.
  func onReceiveFrame(
    frame: VideoFrame?, videoId: Int, attendeeId: String?, pauseState: VideoPauseState)
}

/// A video tile, and the view that shows the tile.
public protocol VideoTile: VideoSink {
  /// The state of the tile.
  var state: VideoTileState { get }

  /// The view that shows the tile; `nil` while the tile is bound to no view.
  var videoRenderView: (any VideoRenderView)? { get set }

  /// Binds the tile to a view. The view receives all later frames of the tile.
  func bind(videoRenderView: (any VideoRenderView)?)

  /// Unbinds the tile from its view.
  func unbind()

  /// Sets whether the tile is paused, and the reason for the pause.
  func setPauseState(pauseState: VideoPauseState)
}
