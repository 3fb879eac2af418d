internal import CarillonClient
internal import Synchronization

/// A video source without pictures, for steps about decisions on video.
final class EmptyVideoSource: VideoSource, Sendable {
  private let hint = Mutex(VideoContentHint.none)
  private let onRelease: @Sendable () -> Void

  /// - Parameter onRelease: Called when the session releases the source.
  init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

  var videoContentHint: VideoContentHint {
    get { hint.withLock { $0 } }
    set { hint.withLock { $0 = newValue } }
  }

  func addVideoSink(sink: any VideoSink) {}

  func removeVideoSink(sink: any VideoSink) { onRelease() }
}
