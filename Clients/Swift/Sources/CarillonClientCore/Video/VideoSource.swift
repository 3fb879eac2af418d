/// Gives frames to sinks.
public protocol VideoSource: AnyObject {
  /// What it shows.
  var videoContentHint: VideoContentHint { get set }

  /// Begins to give frames to a sink.
  func addVideoSink(sink: any VideoSink)

  /// Ends giving frames to a sink.
  func removeVideoSink(sink: any VideoSink)
}

/// Takes the frames of a video.
public protocol VideoSink: AnyObject {
  /// A frame arrived. The sink of a tile is called on main, one of a source on the source's queue.
  func onVideoFrameReceived(frame: VideoFrame)
}

/// A sink that can be bound to a tile.
public protocol VideoRenderView: VideoSink {}

/// What a video shows, and so what matters when it is coded.
public enum VideoContentHint: Int, CaseNamed {
  /// Nothing is known of the pictures.
  case none = 0
  /// Smoothness first.
  case motion = 1
  /// Sharpness first.
  case detail = 2
  /// Legibility first.
  case text = 3
}
