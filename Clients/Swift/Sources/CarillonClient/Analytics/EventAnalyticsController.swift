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
