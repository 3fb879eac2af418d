internal import Wire

/// A part of a session that uses the session's connections. On each new connection, the part sends
/// its requests again.
///
/// Runs on the socket thread.
protocol SessionComponent: AnyObject {
  /// Starts to use a connection, after the session is open on this connection.
  func begin(_ started: V1.SessionStarted, on link: GatewayConnection)

  /// Repeats the requests that the network may have lost. Called after the gateway has answered a
  /// keep-alive.
  func keepAliveWasAnswered()

  func connectionWasLost()

  /// Ends the component, because the session has ended. Idempotent.
  func close()
}

extension SessionComponent {
  func keepAliveWasAnswered() {}
  func close() { connectionWasLost() }
}
