import Bus

/// The purpose of a task of the gateway.
///
/// A newer task for the same purpose replaces the older task.
enum GatewayTaskKey: Hashable {
  case admit(RoutingID)
  case takeIn(SessionNumber, ServiceID)
  case announce(ServiceID, instance: String)
  case watchTiles(UInt64)
  case recordRosters

  /// Notifies `media` that a host muted a session.
  case silence(SessionNumber)

  /// Admits a browser.
  case admitBrowser(BrowserConnectionID)

  /// Answers one request of a browser.
  ///
  /// Requests do not replace each other.
  case answerBrowser(UInt64)
}
