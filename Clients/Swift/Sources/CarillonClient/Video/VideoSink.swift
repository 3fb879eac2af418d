/// Takes the frames of a video.
public protocol VideoSink: AnyObject {
  /// A frame arrived. The sink of a tile is called on main, one of a source on the source's queue.
  func onVideoFrameReceived(frame: VideoFrame)
}
