public import Wire

/// How a request server meets its peers.
public struct ServerOptions: Sendable {
  /// Largest message part a peer may send, in bytes; a larger one ends its connection.
  public var maximumMessageSize: Int

  /// What unpacking one request may cost.
  public var limits: WireLimits

  /// Calls of one connection that may wait for their answer at once.
  public var maximumOpenCallsPerPeer: Int

  /// How long a unary call may take when its caller names no time.
  public var defaultTimeout: Duration

  /// How many connections may wait to be accepted.
  public var backlog: Int

  /// How long a new connection may take to say who it is; one that does not is ended.
  public var handshakeTimeout: Duration

  /// Makes options; the defaults are for services among themselves.
  public init(
    maximumMessageSize: Int = 16 << 20, limits: WireLimits = .default,
    maximumOpenCallsPerPeer: Int = 4096,
    defaultTimeout: Duration = .seconds(30), backlog: Int = 1024,
    handshakeTimeout: Duration = .seconds(10)
  ) {
    self.maximumMessageSize = maximumMessageSize
    self.limits = limits
    self.maximumOpenCallsPerPeer = maximumOpenCallsPerPeer
    self.defaultTimeout = defaultTimeout
    self.backlog = backlog
    self.handshakeTimeout = handshakeTimeout
  }

  /// The options of sockets that unauthenticated peers reach: messages of 64 KiB, tight limits, few
  /// open calls, short time limits.
  public static let clientFacing = ServerOptions(
    maximumMessageSize: 64 << 10, limits: .client, maximumOpenCallsPerPeer: 256,
    handshakeTimeout: .seconds(5))
}
