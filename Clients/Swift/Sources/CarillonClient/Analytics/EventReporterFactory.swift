/// Makes the reporter of a session.
public protocol EventReporterFactory: AnyObject {
  /// Called once, when the session object is made. nil: nothing is reported.
  func createEventReporter() -> (any EventReporter)?
}
