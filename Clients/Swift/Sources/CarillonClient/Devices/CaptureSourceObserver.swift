/// Hears how a source fares. All calls come on main.
public protocol CaptureSourceObserver: AnyObject {
  func captureDidStart()

  func captureDidStop()

  func captureDidFail(error: CaptureSourceError)
}
