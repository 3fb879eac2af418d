/// The calls that bind, pause and observe video tiles. Used on main.
public protocol VideoTileControllerFacade: AnyObject, Sendable {
  /// Binds a view to a tile, after unbinding both.
  ///
  /// If the tile does not exist, the view is only unbound.
  func bindVideoView(videoView: any VideoRenderView, tileId: Int)

  /// Unbinds a tile from its view. Its video still arrives; pause the tile to avoid that.
  func unbindVideoView(tileId: Int)

  /// Adds an observer, in any state. It receives the events from now on.
  func addVideoTileObserver(observer: any VideoTileObserver)

  /// Removes an observer. Without effect if it was not added.
  func removeVideoTileObserver(observer: any VideoTileObserver)

  /// Pauses a remote video: the server stops sending it. The pause hides pauses by the network.
  func pauseRemoteVideoTile(tileId: Int)

  /// Resumes a remote video that the user paused: the server sends it again.
  func resumeRemoteVideoTile(tileId: Int)
}

/// An observer of video tiles. All calls are made on main.
public protocol VideoTileObserver: AnyObject {
  /// A tile was added; the application can bind a view to it.
  func videoTileDidAdd(tileState: VideoTileState)

  /// A tile was removed.
  func videoTileDidRemove(tileState: VideoTileState)

  /// A tile was paused, by the user or by the network.
  func videoTileDidPause(tileState: VideoTileState)

  /// A tile was resumed.
  func videoTileDidResume(tileState: VideoTileState)

  /// The size of a tile's video changed.
  func videoTileSizeDidChange(tileState: VideoTileState)
}

/// A controller that creates tiles from the reported frames and pauses.
public protocol VideoTileController: VideoTileControllerFacade {
  /// Handles a report. A report without a frame and without a pause ends the tile.
  ///
  /// - Parameter attendeeId: The sender's attendee id; nil for the local attendee.
  func onReceiveFrame(
    frame: VideoFrame?, videoId: Int, attendeeId: String?, pauseState: VideoPauseState)
}

/// A video tile with the view that shows it.
public protocol VideoTile: VideoSink {
  /// The state of the tile.
  var state: VideoTileState { get }

  /// The view that shows the tile; nil while there is none.
  var videoRenderView: (any VideoRenderView)? { get set }

  /// Binds the tile to a view, which receives its frames from now on.
  func bind(videoRenderView: (any VideoRenderView)?)

  /// Unbinds the tile from its view.
  func unbind()

  /// Sets whether the tile is paused, and the reason.
  func setPauseState(pauseState: VideoPauseState)
}
