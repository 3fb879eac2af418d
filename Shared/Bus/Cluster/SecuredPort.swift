internal import Glibc
public import ZeroMQ

/// A tcp port for peers on other hosts, encrypted by CURVE and open to allowed keys only.
public struct SecuredPort: Sendable {
  /// The endpoint to bind, without a key.
  public let endpoint: Endpoint

  /// The role that a peer's key needs.
  public let role: PeerKeyRole

  /// The keys of this side.
  public let keys: CurveKeyPair

  /// The admission of peers, used by the ``PeerAuthenticator`` of the socket's context.
  public let admission: KeyAdmission

  /// The maximum number of simultaneous connections. The port's ``SecuredPortGuard`` cuts off
  /// further connections.
  public var mostConnections = 256

  /// The maximum number of bytes in a message part. libzmq allocates memory for a part after
  /// reading the part's size, even for peers that are not authenticated.
  public var mostMessageBytes = 4 << 20

  /// The timeout of a connection's handshake.
  public var handshakeTimeout = Duration.seconds(3)

  /// Describes a port. Does not start to listen on the port.
  public init(
    _ endpoint: Endpoint, for role: PeerKeyRole = .service, as keys: CurveKeyPair,
    letting admission: KeyAdmission
  ) {
    (self.endpoint, self.role) = (endpoint, role)
    (self.keys, self.admission) = (keys, admission)
  }
}

extension Socket {
  /// Binds the port for other hosts; does nothing if `port` is `nil`. Endpoints that are already
  /// bound remain unsecured.
  ///
  /// - Returns: The guard, which must receive the events of connections. The caller closes the
  ///   guard.
  borrowing func open(
    _ port: SecuredPort?, on thread: SocketThread
  ) throws(ZeroMQError) -> SecuredPortGuard? {
    guard let port else { return nil }
    try set(.maximumMessageSize(port.mostMessageBytes))
    try set(.handshakeTimeout(port.handshakeTimeout))
    try set(.curveServer(secretKey: port.keys.secretKey))
    try set(.admission(domain: port.role.rawValue))
    try bindPatiently(to: port.endpoint)
    return SecuredPortGuard(port, bound: try lastEndpoint(), on: thread)
  }

  /// Binds an endpoint, and retries for 200 ms while the endpoint is in use.
  ///
  /// An instance that restarts has just closed its socket, and libzmq releases the port some
  /// milliseconds later. The instance serves no requests yet, so the thread may wait.
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
