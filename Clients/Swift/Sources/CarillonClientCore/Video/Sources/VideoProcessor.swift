public import Foundation

/// A step between a source and its sinks. The step processes each frame and forwards the result.
public final class VideoProcessor: NSObject, VideoSource, VideoSink, @unchecked Sendable {
  // Sendable: all properties are constant and thread-safe. The source synchronizes access to the
  // source's content hint.
  private let source: any VideoSource
  private let process: @Sendable (VideoFrame) -> VideoFrame?
  private let sinks = SinkList()
  private let link = WeakProcessorSink()

  /// Creates a processor, and adds the processor to the source.
  ///
  /// - Parameter process: Processes a frame on the source's queue; returns `nil` to drop the frame.
  public init(
    _ source: any VideoSource, process: @escaping @Sendable (VideoFrame) -> VideoFrame?
  ) {
    self.source = source
    self.process = process
    super.init()
    link.processor = self
    source.addVideoSink(sink: link)
  }

  deinit { source.removeVideoSink(sink: link) }

  public var videoContentHint: VideoContentHint {
    get { source.videoContentHint }
    set { source.videoContentHint = newValue }
  }

  public func onVideoFrameReceived(frame: VideoFrame) {
    if let processed = process(frame) { sinks.deliver(processed) }
  }

  public func addVideoSink(sink: any VideoSink) { sinks.add(sink) }
  public func removeVideoSink(sink: any VideoSink) { sinks.remove(sink) }
}

/// The sink that the source retains in place of the processor, so that the processor's owner can
/// release the processor before the source.
private final class WeakProcessorSink: NSObject, VideoSink {
  weak var processor: VideoProcessor?

  func onVideoFrameReceived(frame: VideoFrame) { processor?.onVideoFrameReceived(frame: frame) }
}
