import Dispatch
public import Foundation

/// A source that captures the screen. On Linux, the source draws pictures. Each picture shows its
/// own number.
///
/// `@unchecked Sendable` because the lock guards all mutable state.
public final class InAppScreenCaptureSource: NSObject, VideoCaptureSource, @unchecked Sendable {
  private struct State {
    var isRecording = false
    var hint = VideoContentHint.text
  }

  private let sinks: SinkList
  private let observers = ObserverRegistry<any CaptureSourceObserver>()
  private let ticker = FrameTicker()
  private let resender: LastFrameRepeater
  private let log: SessionLogger
  private let lock = NSLock()
  private var state = State()

  /// The rate of new pictures. Between new pictures, the source repeats the last picture.
  private static let framesPerSecond = 1
  private static let pattern = TestPattern(width: 1280, height: 720, tint: (128, 128))

  /// Creates a source that does not capture yet. `logger` receives the source's log lines.
  public init(logger: any Logger) {
    let sinks = SinkList()
    self.sinks = sinks
    log = SessionLogger(logger: logger)
    resender = LastFrameRepeater { sinks.deliver($0) }
  }

  deinit { resender.stop() }

  public var videoContentHint: VideoContentHint {
    get { lock.withLock { state.hint } }
    set { lock.withLock { state.hint = newValue } }
  }

  public func start() {
    if lock.withLock({ state.isRecording }) { stop() }
    lock.withLock { state.isRecording = true }
    ticker.start(framesPerSecond: Self.framesPerSecond) { [resender] number in
      guard let buffer = Self.pattern.picture(number) else { return }
      resender.take(
        VideoFrame(
          timestampNs: Int64(DispatchTime.now().uptimeNanoseconds), rotation: .rotation0,
          buffer: buffer))
    }
    observers.post { $0.captureDidStart() }
  }

  /// Stops the capture. The source then repeats the last picture until the application removes the
  /// sinks.
  public func stop() {
    let wasRecording = lock.withLock {
      defer { state.isRecording = false }
      return state.isRecording
    }
    guard wasRecording else { return log.info("The screen is not being captured.") }
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
