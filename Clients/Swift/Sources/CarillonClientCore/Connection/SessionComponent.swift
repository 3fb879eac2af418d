internal import Wire

/// One part of a session, which has the connection while there is one: what it wants of the gateway
/// it says on each connection anew.
///
/// Lives on the socket thread.
protocol SessionComponent: AnyObject {
  /// The session is open on this connection.
  func begin(_ started: V1.SessionStarted, on link: GatewayLink)

  /// The gateway is there: what may have got lost is said again.
  func keepAliveWasAnswered()

  func connectionWasLost()

  /// The session is over. Idempotent.
  func close()
}

extension SessionComponent {
  func keepAliveWasAnswered() {}
  func close() { connectionWasLost() }
}
