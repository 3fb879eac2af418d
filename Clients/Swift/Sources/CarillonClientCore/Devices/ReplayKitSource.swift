public import Foundation
internal import Synchronization

/// A screen that another part of the program captures, as a source.
///
/// Hands on its frames, or the pictures of its sample buffers, and the last one again, five times a
/// second, while nothing moves.
public final class ReplayKitSource: NSObject, VideoSource, Sendable {
  private let hint = Mutex(VideoContentHint.detail)
  private let sinks: SinkList
  private let resender: FrameResender

  /// Makes a source that waits for its first frame. The logger is taken for the sake of the
  /// original's signature.
  public init(logger: any Logger) {
    let sinks = SinkList()
    self.sinks = sinks
    resender = FrameResender { sinks.deliver($0) }
  }

  deinit { resender.stop() }

  public var videoContentHint: VideoContentHint {
    get { hint.withLock { $0 } }
    set { hint.withLock { $0 = newValue } }
  }

  /// Takes a frame, from any thread.
  public func processFrame(_ frame: VideoFrame) { resender.take(frame) }

  /// No frame comes again; for good.
  public func stop() { resender.stop() }

  public func addVideoSink(sink: any VideoSink) { sinks.add(sink) }
  public func removeVideoSink(sink: any VideoSink) { sinks.remove(sink) }
}
