internal import Wire

/// A part of a session that uses its connections. It sends its requests again on each new
/// connection.
///
/// Runs on the socket thread.
protocol SessionComponent: AnyObject {
  /// Starts on a connection, once the session is open on it.
  func begin(_ started: V1.SessionStarted, on link: GatewayLink)

  /// Resends what may be lost, after the gateway has answered a keep-alive.
  func keepAliveWasAnswered()

  func connectionWasLost()

  /// Ends the component with its session. Idempotent.
  func close()
}

extension SessionComponent {
  func keepAliveWasAnswered() {}
  func close() { connectionWasLost() }
}
