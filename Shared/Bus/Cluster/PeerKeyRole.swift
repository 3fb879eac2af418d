/// The sockets to which the owner of a key may connect over tcp.
///
/// The role's name is the domain of libzmq's authentication requests (27/ZAP).
public enum PeerKeyRole: String, Sendable, CaseIterable {
  /// The sockets for requests and events between services.
  case service
  /// A gateway's port for clients.
  case client
  /// The sockets for an operator's tools.
  case `operator`
}
