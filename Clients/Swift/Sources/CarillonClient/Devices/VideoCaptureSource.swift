/// A source that takes pictures of its own.
public protocol VideoCaptureSource: VideoSource {
  /// Begins to capture.
  func start()

  /// Ends capturing.
  func stop()

  func addCaptureSourceObserver(observer: any CaptureSourceObserver)

  func removeCaptureSourceObserver(observer: any CaptureSourceObserver)
}
