/// The calls that give access to the events of the session.
public protocol EventAnalyticsFacade: AnyObject, Sendable {
  /// Adds an observer, in any state. The observer receives all later events.
  func addEventAnalyticsObserver(observer: any EventAnalyticsObserver)

  /// Removes an observer. Has no effect if the application has not added the observer.
  func removeEventAnalyticsObserver(observer: any EventAnalyticsObserver)

  /// Returns all events since the creation of the session object, the oldest first.
  func getMeetingHistory() -> [MeetingHistoryEvent]

  /// Returns the common attributes of all events: device, system, library, meeting and attendee.
  ///
  /// The keys are strings, the names of `EventAttributeName`.
  func getCommonEventAttributes() -> [AnyHashable: Any]
}

/// An observer of the session's events. The library makes all calls on the main thread.
public protocol EventAnalyticsObserver: AnyObject {
  /// An event happened. The keys of `attributes` are values of `EventAttributeName`.
  func eventDidReceive(name: EventName, attributes: [AnyHashable: Any])
}

/// The controller that publishes events of the session, including events of the application.
public protocol EventAnalyticsController: EventAnalyticsFacade {
  /// Publishes an event to the reporter and the observers. The event has no attributes of its own.
  func publishEvent(name: EventName)

  /// Publishes an event to the reporter and the observers.
  func publishEvent(name: EventName, attributes: [AnyHashable: Any])

  /// Adds an event to the history, reports it, and notifies the observers if requested.
  ///
  /// - Parameter attributes: The event's own attributes, by `EventAttributeName`. The controller
  ///   adds attributes of the time, the process and the machine.
  func publishEvent(name: EventName, attributes: [AnyHashable: Any], notifyObservers: Bool)

  /// Adds an event to the history and reports it, without notifying observers.
  func pushHistory(historyEventName: MeetingHistoryEventName)
}
