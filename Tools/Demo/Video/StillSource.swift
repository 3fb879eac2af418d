internal import CarillonClient
internal import Synchronization

/// A video without a picture: what is decided about video needs none.
final class StillSource: VideoSource, Sendable {
  private let hint = Mutex(VideoContentHint.none)
  private let onRelease: @Sendable () -> Void

  /// - Parameter onRelease: Called when a session has let go of it.
  init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

  var videoContentHint: VideoContentHint {
    get { hint.withLock { $0 } }
    set { hint.withLock { $0 = newValue } }
  }

  func addVideoSink(sink: any VideoSink) {}

  func removeVideoSink(sink: any VideoSink) { onRelease() }
}
