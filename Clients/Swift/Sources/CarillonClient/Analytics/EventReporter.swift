/// Sends events somewhere. Called on any thread, possibly within a call of the session: it returns
/// at once and does not call the session.
public protocol EventReporter: AnyObject {
  /// Takes an event to send.
  func report(event: SDKEvent)

  /// Begins to send.
  func start()

  /// Ends sending.
  func stop()
}
