/// Gives access to the events of the session.
public protocol EventAnalyticsFacade: AnyObject, Sendable {
  /// Adds an observer in any state; it hears what happens from now on.
  func addEventAnalyticsObserver(observer: any EventAnalyticsObserver)

  /// Removes an observer. Nothing happens if it was not added.
  func removeEventAnalyticsObserver(observer: any EventAnalyticsObserver)

  /// All events since the session object was made, the oldest first.
  func getMeetingHistory() -> [MeetingHistoryEvent]

  /// What holds for all events: device, system, library, meeting and attendee. The keys are
  /// strings, the names of `EventAttributeName`.
  func getCommonEventAttributes() -> [AnyHashable: Any]
}

/// Hears events of the session. All calls come on main.
public protocol EventAnalyticsObserver: AnyObject {
  /// An event happened. The keys of its attributes are `EventAttributeName`.
  func eventDidReceive(name: EventName, attributes: [AnyHashable: Any])
}

/// Publishes events of the session, also the application's own.
public protocol EventAnalyticsController: EventAnalyticsFacade {
  /// Publishes an event without attributes of its own to everybody.
  func publishEvent(name: EventName)

  /// Publishes an event to everybody.
  func publishEvent(name: EventName, attributes: [AnyHashable: Any])

  /// Adds an event to the history, reports it, and tells the observers if asked to.
  ///
  /// - Parameter attributes: Keys are `EventAttributeName`. What holds for every event is added.
  func publishEvent(name: EventName, attributes: [AnyHashable: Any], notifyObservers: Bool)

  /// Adds an event to the history and reports it; observers are not told.
  func pushHistory(historyEventName: MeetingHistoryEventName)
}
