/// Gives access to the events of the session.
public protocol EventAnalyticsFacade: AnyObject, Sendable {
  /// Adds an observer in any state; it hears what happens from now on.
  func addEventAnalyticsObserver(observer: any EventAnalyticsObserver)

  func removeEventAnalyticsObserver(observer: any EventAnalyticsObserver)

  /// All events since the session object was made, the oldest first.
  func getMeetingHistory() -> [MeetingHistoryEvent]

  /// What holds for all events: device, system, library, meeting and attendee. The keys are
  /// strings, the names of `EventAttributeName`.
  func getCommonEventAttributes() -> [AnyHashable: Any]
}
