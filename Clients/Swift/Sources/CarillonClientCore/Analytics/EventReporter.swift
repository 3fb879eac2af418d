public import Foundation

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

/// An event as a reporter gets it.
public final class SDKEvent: NSObject {
  /// The name of the case of `EventName` or `MeetingHistoryEventName`.
  public let name: String

  /// Keys are `EventAttributeName`.
  public let eventAttributes: [AnyHashable: Any]

  /// Makes an event that observers hear, too.
  public init(eventName: EventName, eventAttributes: [AnyHashable: Any]) {
    name = eventName.description
    self.eventAttributes = eventAttributes
  }

  /// Makes an event that only the history has.
  public init(
    meetingHistoryEventName: MeetingHistoryEventName, eventAttributes: [AnyHashable: Any]
  ) {
    name = meetingHistoryEventName.description
    self.eventAttributes = eventAttributes
  }
}

/// Makes the reporter of a session.
public protocol EventReporterFactory: AnyObject {
  /// Called once, when the session object is made. nil: nothing is reported.
  func createEventReporter() -> (any EventReporter)?
}

/// Reports nothing.
public final class NoopEventReporterFactory: NSObject, EventReporterFactory, Sendable {
  public func createEventReporter() -> (any EventReporter)? { nil }
}
