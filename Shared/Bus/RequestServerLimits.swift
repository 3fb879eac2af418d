public import Wire

/// The limits of a request server for its peers.
public struct RequestServerLimits: Sendable {
  /// The largest message part that a peer may send, in bytes. A larger part ends the peer's
  /// connection.
  public var maximumMessageSize: Int

  /// The limits for unpacking one request.
  public var limits: WireLimits

  /// The maximum number of open calls of one connection.
  public var maximumOpenCallsPerPeer: Int

  /// The timeout of a unary call when its caller sets no timeout.
  public var defaultTimeout: Duration

  /// The maximum number of connections that the kernel keeps until the server accepts them.
  public var backlog: Int

  /// The timeout for the handshake of a new connection.
  public var handshakeTimeout: Duration

  /// Makes limits. The defaults are for calls between services.
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

  /// The limits for sockets that unauthenticated peers can reach: messages of at most 64 KiB, tight
  /// limits, few open calls and a short handshake timeout.
  public static let clientFacing = RequestServerLimits(
    maximumMessageSize: 64 << 10, limits: .client, maximumOpenCallsPerPeer: 256,
    handshakeTimeout: .seconds(5))
}
