/// Hears how the own content share fares. All calls come on main.
public protocol ContentShareObserver: AnyObject {
  /// The others can see it.
  func contentShareDidStart()

  /// The others no longer see it.
  func contentShareDidStop(status: ContentShareStatus)
}
