internal import Glibc
public import ZeroMQ

/// A tcp port of a socket at which those of other hosts come in: encrypted by CURVE, and only for
/// keys that are allowed.
public struct SecuredPort: Sendable {
  /// Where it is bound, without a key.
  public let endpoint: Endpoint

  /// What one needs a key for.
  public let role: KeyRole

  /// Who this side is.
  public let keys: SocketKeyPair

  /// Who may come in. A ``PeerAuthenticator`` of the socket's context answers by it.
  public let admission: KeyAdmission

  /// Connections at once; whoever comes then is cut off.
  public var mostConnections = 256

  /// Most bytes in a part of a message. libzmq makes room for a part when it has read how long it
  /// is, also for those who have not said who they are.
  public var mostMessageBytes = 4 << 20

  /// How long a connection may take to say who it is.
  public var handshakeTimeout = Duration.seconds(3)

  /// A port that nobody listens on yet.
  public init(
    _ endpoint: Endpoint, for role: KeyRole = .service, as keys: SocketKeyPair,
    letting admission: KeyAdmission
  ) {
    (self.endpoint, self.role) = (endpoint, role)
    (self.keys, self.admission) = (keys, admission)
  }
}

extension Socket {
  /// Lets those of other hosts in, too, if there is a port for them. What is bound before is not
  /// secured, and stays that way.
  ///
  /// - Returns: What hears of connections from now on; the caller closes it.
  borrowing func open(
    _ port: SecuredPort?, on thread: SocketThread
  ) throws(ZeroMQError) -> PortWatch? {
    guard let port else { return nil }
    try set(.maximumMessageSize(port.mostMessageBytes))
    try set(.handshakeTimeout(port.handshakeTimeout))
    try set(.curveServer(secretKey: port.keys.secretKey))
    try set(.admission(domain: port.role.rawValue))
    try bindPatiently(to: port.endpoint)
    return PortWatch(port, bound: try lastEndpoint(), on: thread)
  }

  /// An instance that begins anew has just closed its socket, and libzmq gives the port back some
  /// milliseconds later: nothing is served meanwhile, and so the thread waits.
  private borrowing func bindPatiently(to endpoint: Endpoint) throws(ZeroMQError) {
    let end = ContinuousClock.now + .milliseconds(200)
    while true {
      do {
        return try bind(to: endpoint)
      } catch ZeroMQError.endpointInUse where ContinuousClock.now < end {
        usleep(2_000)
      }
    }
  }
}
