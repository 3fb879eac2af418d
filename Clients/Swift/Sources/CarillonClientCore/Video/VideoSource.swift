/// A source that delivers frames to its sinks.
public protocol VideoSource: AnyObject {
  /// The kind of content that the source shows.
  var videoContentHint: VideoContentHint { get set }

  /// Adds a sink. The source delivers all later frames to the sink.
  func addVideoSink(sink: any VideoSink)

  /// Removes a sink. The source no longer delivers frames to the sink.
  func removeVideoSink(sink: any VideoSink)
}

/// A receiver of the frames of a video.
public protocol VideoSink: AnyObject {
  /// Receives a frame. A tile calls its sink on the main thread. A source calls its sinks on its
  /// own queue.
  func onVideoFrameReceived(frame: VideoFrame)
}

/// A sink that an application can bind to a tile.
public protocol VideoRenderView: VideoSink {}

/// The kind of content that a video shows. The kind determines what the encoder preserves first.
public enum VideoContentHint: Int, CaseNamed {
  /// The content is unknown.
  case none = 0
  /// Smooth motion is most important.
  case motion = 1
  /// Sharp details are most important.
  case detail = 2
  /// Legible text is most important.
  case text = 3
}
