public import Foundation

/// A step between a source and its sinks: takes each frame, and hands on what becomes of it.
public final class VideoProcessor: NSObject, VideoSource, VideoSink, @unchecked Sendable {
  // Sendable: everything is constant and guards itself; the source guards its hint.
  private let source: any VideoSource
  private let process: @Sendable (VideoFrame) -> VideoFrame?
  private let sinks = SinkList()
  private let link = Link()

  /// - Parameter process: Runs on the source's queue; `nil` leaves the frame out.
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

/// What the source holds: the processor may go before it.
private final class Link: NSObject, VideoSink {
  weak var processor: VideoProcessor?

  func onVideoFrameReceived(frame: VideoFrame) { processor?.onVideoFrameReceived(frame: frame) }
}
