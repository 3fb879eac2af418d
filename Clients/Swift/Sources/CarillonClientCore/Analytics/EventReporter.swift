public import Foundation

/// A reporter that sends events to its own destination.
///
/// The library may call the reporter on any thread, even while a method of the session runs. The
/// reporter's methods must return immediately, and must not call the session.
public protocol EventReporter: AnyObject {
  /// Queues an event to send.
  func report(event: SDKEvent)

  /// Starts sending.
  func start()

  /// Stops sending.
  func stop()
}

/// An event as a reporter receives it.
public final class SDKEvent: NSObject {
  /// The name of the case of `EventName` or `MeetingHistoryEventName`.
  public let name: String

  /// The attributes, by `EventAttributeName`.
  public let eventAttributes: [AnyHashable: Any]

  /// Creates an event that observers can also receive.
  public init(eventName: EventName, eventAttributes: [AnyHashable: Any]) {
    name = eventName.description
    self.eventAttributes = eventAttributes
  }

  /// Creates an event of the history. Observers do not receive this event.
  public init(
    meetingHistoryEventName: MeetingHistoryEventName, eventAttributes: [AnyHashable: Any]
  ) {
    name = meetingHistoryEventName.description
    self.eventAttributes = eventAttributes
  }
}

/// A factory of the event reporter of a session.
public protocol EventReporterFactory: AnyObject {
  /// Returns the reporter; `nil` to report no events. The library calls this method once, when the
  /// library creates the session object.
  func createEventReporter() -> (any EventReporter)?
}

/// A factory that creates no reporter.
public final class NoopEventReporterFactory: NSObject, EventReporterFactory, Sendable {
  public func createEventReporter() -> (any EventReporter)? { nil }
}
