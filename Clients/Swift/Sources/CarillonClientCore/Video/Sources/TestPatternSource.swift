public import Foundation
internal import Synchronization

/// A source of a moving test pattern. Each picture shows the number of its frame. ``FrameCounter``
/// reads this number from a picture.
public final class TestPatternSource: NSObject, VideoCaptureSource, Sendable {
  private let hint: Mutex<VideoContentHint>
  private let pattern: TestPattern
  private let framesPerSecond: Int
  private let sinks = SinkList()
  private let observers = ObserverRegistry<any CaptureSourceObserver>()
  private let ticker = FrameTicker()

  /// Creates a source that does not capture yet.
  ///
  /// - Parameters:
  ///   - width: The width in pixels, 2-4096.
  ///   - height: The height in pixels, 2-4096.
  ///   - framesPerSecond: The frame rate, 1-60.
  public init(
    width: Int = 640, height: Int = 360, framesPerSecond: Int = 15,
    videoContentHint: VideoContentHint = .motion
  ) {
    pattern = TestPattern(
      width: min(max(width, 2), 4096), height: min(max(height, 2), 4096), tint: (140, 110))
    self.framesPerSecond = min(max(framesPerSecond, 1), 60)
    hint = Mutex(videoContentHint)
  }

  public var videoContentHint: VideoContentHint {
    get { hint.withLock { $0 } }
    set { hint.withLock { $0 = newValue } }
  }

  public func start() {
    ticker.start(framesPerSecond: framesPerSecond) { [pattern, sinks] number in
      guard let buffer = pattern.picture(number) else { return }
      sinks.deliver(
        VideoFrame(
          timestampNs: Int64(DispatchTime.now().uptimeNanoseconds), rotation: .rotation0,
          buffer: buffer))
    }
    observers.post { $0.captureDidStart() }
  }

  public func stop() {
    ticker.stop()
    observers.post { $0.captureDidStop() }
  }

  public func addVideoSink(sink: any VideoSink) { sinks.add(sink) }
  public func removeVideoSink(sink: any VideoSink) { sinks.remove(sink) }

  public func addCaptureSourceObserver(observer: any CaptureSourceObserver) {
    observers.add(observer)
  }

  public func removeCaptureSourceObserver(observer: any CaptureSourceObserver) {
    observers.remove(observer)
  }
}
