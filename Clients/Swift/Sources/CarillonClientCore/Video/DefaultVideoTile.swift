public import Foundation

/// A tile that forwards its frames to its view. Only the main thread uses the tile.
public final class DefaultVideoTile: NSObject, VideoTile {
  public let state: VideoTileState
  public var videoRenderView: (any VideoRenderView)?
  private let logger: any Logger

  /// Creates an unpaused tile without a view. Sizes are in pixels.
  public init(
    tileId: Int, attendeeId: String, videoStreamContentWidth: Int, videoStreamContentHeight: Int,
    isLocalTile: Bool, logger: any Logger
  ) {
    state = VideoTileState(
      tileId: tileId, attendeeId: attendeeId, videoStreamContentWidth: videoStreamContentWidth,
      videoStreamContentHeight: videoStreamContentHeight, pauseState: .unpaused,
      isLocalTile: isLocalTile)
    self.logger = logger
  }

  public func bind(videoRenderView: (any VideoRenderView)?) {
    logger.info(msg: "Binding a view to tile \(state.tileId)")
    self.videoRenderView = videoRenderView
  }

  public func unbind() {
    logger.info(msg: "Unbinding the view of tile \(state.tileId)")
    videoRenderView = nil
  }

  public func setPauseState(pauseState: VideoPauseState) {
    state.pauseState = pauseState
  }

  public func onVideoFrameReceived(frame: VideoFrame) {
    videoRenderView?.onVideoFrameReceived(frame: frame)
  }
}
