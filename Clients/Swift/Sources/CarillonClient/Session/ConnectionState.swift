/// The states of the link to the server.
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
