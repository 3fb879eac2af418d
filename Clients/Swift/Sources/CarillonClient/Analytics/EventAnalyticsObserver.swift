/// Hears events of the session. All calls come on main.
public protocol EventAnalyticsObserver: AnyObject {
  /// An event happened. The keys of its attributes are `EventAttributeName`.
  func eventDidReceive(name: EventName, attributes: [AnyHashable: Any])
}
