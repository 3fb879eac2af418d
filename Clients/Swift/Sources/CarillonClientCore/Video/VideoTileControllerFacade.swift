/// Binds, pauses and watches tiles. Used on main.
public protocol VideoTileControllerFacade: AnyObject, Sendable {
  /// Shows a tile in a view, and neither elsewhere. Without effect on a tile that is not there.
  func bindVideoView(videoView: any VideoRenderView, tileId: Int)

  /// Shows a tile nowhere. Its video still comes: pause the tile to spare that.
  func unbindVideoView(tileId: Int)

  /// Adds an observer in any state; it hears what happens from now on.
  func addVideoTileObserver(observer: any VideoTileObserver)

  /// Removes an observer. Nothing happens if it was not added.
  func removeVideoTileObserver(observer: any VideoTileObserver)

  /// Asks the server not to send a remote video. Hides what the network does to it meanwhile.
  func pauseRemoteVideoTile(tileId: Int)

  /// Asks the server to send a remote video again, if the user paused it.
  func resumeRemoteVideoTile(tileId: Int)
}

/// Hears of tiles. All calls come on main.
public protocol VideoTileObserver: AnyObject {
  /// A video is there to be bound to a view.
  func videoTileDidAdd(tileState: VideoTileState)

  /// A video ended.
  func videoTileDidRemove(tileState: VideoTileState)

  /// A video was paused, by the user or by the network.
  func videoTileDidPause(tileState: VideoTileState)

  /// A video goes on.
  func videoTileDidResume(tileState: VideoTileState)

  /// A video has another size.
  func videoTileSizeDidChange(tileState: VideoTileState)
}

/// Makes tiles out of the frames and pauses that the media side reports.
public protocol VideoTileController: VideoTileControllerFacade {
  /// Takes a report. No frame and no pause: the video ended.
  ///
  /// - Parameter attendeeId: nil for the local attendee.
  func onReceiveFrame(
    frame: VideoFrame?, videoId: Int, attendeeId: String?, pauseState: VideoPauseState)
}

/// A video with the view it is shown in.
public protocol VideoTile: VideoSink {
  /// What the video is.
  var state: VideoTileState { get }

  /// The view that shows the tile; nil while none does.
  var videoRenderView: (any VideoRenderView)? { get set }

  /// Shows the video in this view from now on.
  func bind(videoRenderView: (any VideoRenderView)?)

  /// Shows the video nowhere.
  func unbind()

  /// Notes why the video is paused, or that it is not.
  func setPauseState(pauseState: VideoPauseState)
}
