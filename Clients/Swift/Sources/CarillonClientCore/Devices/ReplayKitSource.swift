public import Foundation
internal import Synchronization

/// A source for a screen that another part of the program captures.
///
/// The source forwards frames, or the pictures of sample buffers. While no frames arrive, the
/// source repeats the last frame five times a second.
public final class ReplayKitSource: NSObject, VideoSource, Sendable {
  private let hint = Mutex(VideoContentHint.detail)
  private let sinks: SinkList
  private let resender: LastFrameRepeater

  /// Creates a source that waits for its first frame.
  ///
  /// The source does not use the logger. The parameter exists because the initializer in the
  /// meetings SDK for iOS has the same parameter.
  public init(logger: any Logger) {
    let sinks = SinkList()
    self.sinks = sinks
    resender = LastFrameRepeater { sinks.deliver($0) }
  }

  deinit { resender.stop() }

  public var videoContentHint: VideoContentHint {
    get { hint.withLock { $0 } }
    set { hint.withLock { $0 = newValue } }
  }

  /// Forwards a frame. Any thread may call this method.
  public func processFrame(_ frame: VideoFrame) { resender.take(frame) }

  /// Stops the source permanently. The source then neither forwards nor repeats frames.
  public func stop() { resender.stop() }

  public func addVideoSink(sink: any VideoSink) { sinks.add(sink) }
  public func removeVideoSink(sink: any VideoSink) { sinks.remove(sink) }
}
