/// Hears the data messages of the topics it was added for. All calls come on main.
public protocol DataMessageObserver: AnyObject {
  /// A message arrived, or an own one came back throttled.
  func dataMessageDidReceived(dataMessage: DataMessage)
}
