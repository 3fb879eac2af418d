/// Gives frames to sinks.
public protocol VideoSource: AnyObject {
  /// What it shows.
  var videoContentHint: VideoContentHint { get set }

  /// Begins to give frames to a sink.
  func addVideoSink(sink: any VideoSink)

  /// Ends giving frames to a sink.
  func removeVideoSink(sink: any VideoSink)
}
