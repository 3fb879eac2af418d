import Dispatch
public import Foundation
internal import Synchronization

/// A source that plays a Y4M file repeatedly, at the frame rate of the file.
public final class Y4MSource: NSObject, VideoCaptureSource, Sendable {
  private let hint = Mutex(VideoContentHint.motion)
  private let file: Y4MFile
  private let sinks = SinkList()
  private let observers = ObserverRegistry<any CaptureSourceObserver>()
  private let ticker = FrameTicker()

  /// Creates a source from a file.
  ///
  /// - Throws: ``Y4MError``, or an error of the file system.
  public init(contentsOf url: URL) throws {
    file = try Y4MFile(Data(contentsOf: url, options: .mappedIfSafe))
  }

  public var videoContentHint: VideoContentHint {
    get { hint.withLock { $0 } }
    set { hint.withLock { $0 = newValue } }
  }

  public func start() {
    ticker.start(framesPerSecond: file.framesPerSecond) { [file, sinks] number in
      guard let buffer = file.picture(number) else { return }
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
