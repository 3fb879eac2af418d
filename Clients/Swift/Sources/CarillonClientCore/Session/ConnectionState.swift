/// The states of the connection to the server.
enum ConnectionState: CaseIterable, Sendable {
  case connecting
  case connected
  case reconnecting
  case disconnecting
  case disconnectedNormally
  case disconnectedAbnormally
  case serverHungUp
  case failedToConnect
}

/// The states of the video part of a session.
enum VideoConnectionState: CaseIterable, Sendable {
  case connecting
  case started
  case stopped
  case failed
}
