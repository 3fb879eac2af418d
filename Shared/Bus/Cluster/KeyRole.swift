/// What the owner of a key may connect to over tcp. Its name is the domain in which libzmq asks who
/// may come in (27/ZAP).
public enum KeyRole: String, Sendable, CaseIterable {
  /// The sockets on which services serve one another.
  case service
  /// A gateway's port for clients.
  case client
  /// What an operator's tools call.
  case `operator`
}
