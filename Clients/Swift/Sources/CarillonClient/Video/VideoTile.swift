/// A video with the view it is shown in.
public protocol VideoTile: VideoSink {
  /// What the video is.
  var state: VideoTileState { get }

  /// Where it is shown.
  var videoRenderView: (any VideoRenderView)? { get set }

  /// Shows the video in this view from now on.
  func bind(videoRenderView: (any VideoRenderView)?)

  /// Shows the video nowhere.
  func unbind()

  /// Notes why the video is paused, or that it is not.
  func setPauseState(pauseState: VideoPauseState)
}
