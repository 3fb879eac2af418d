/// Something that does its work again and again between `start` and `stop`.
public protocol Scheduler: AnyObject {
  /// Begins; without effect while running.
  func start()

  /// Ends; without effect while stopped. It may be started again.
  func stop()
}
