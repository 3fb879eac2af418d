internal import Wire

/// One part of a session that uses its connections, and sends its requests anew on each one.
///
/// Runs on the socket thread.
protocol SessionComponent: AnyObject {
  /// Begins on a connection on which the session is open.
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
