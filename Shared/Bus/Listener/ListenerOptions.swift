public import ZMTP

/// The limits of a listener for unknown peers.
public struct ListenerOptions: Sendable {
  /// The limits of one connection's messages.
  public var limits: ZMTPLimits

  /// The most connections at once; one more waits to be accepted.
  ///
  /// The limit of open files bounds it too: see ``ClientListener/mostConnections``.
  public var connections: Int

  /// The most connections from one address of another machine; one more is closed.
  public var connectionsPerAddress: Int

  /// The most connections with an unfinished handshake; more wait to be accepted.
  public var handshakes: Int

  /// The time limit for the handshake, and for each message after it has begun.
  public var handshakeTimeout: Duration

  /// How long a connection may stay unused; see ``ClientListener/wasUsed(_:)``.
  ///
  /// `nil`: without limit.
  public var idleLimit: Duration?

  /// The most bytes kept for all connections together, in unfinished messages and unread replies.
  ///
  /// Beyond it, the listener ends the connection that uses the most.
  public var keptBytes: Int

  /// The most bytes of unread replies per connection.
  ///
  /// Beyond it, the listener stops reading from the connection until it has read them.
  public var unreadReplies: Int

  /// The most commands per second from one connection, such as `PING`.
  ///
  /// Beyond it, the connection is ended.
  public var commandsPerSecond: Int

  /// The most requests refused in a row before the connection is ended.
  public var refusals: Int

  /// The most connections that may wait to be accepted.
  public var backlog: Int

  /// The security of tcp connections; Unix sockets have none.
  public var security = ZMTPSecurity.null

  /// The admission of clients by their keys, checked again when it narrows; `nil`: every key.
  public var admission: KeyAdmission?

  /// Approximate limit, in bytes, of what the system buffers for a connection that does not read;
  /// `nil`: the system's default.
  ///
  /// Buffered bytes cannot be taken back. A full Unix socket accepts more only after three quarters
  /// have been read.
  public var sendBuffer: Int?

  /// The most bytes not yet sent in a tcp socket's buffer.
  ///
  /// Above it, the socket accepts no more, so all but the bytes in flight can still be taken back.
  /// `nil`: as many as the buffer holds.
  public var unsent: Int?

  /// Makes options.
  public init(
    limits: ZMTPLimits = ZMTPLimits(), connections: Int = 65_536,
    connectionsPerAddress: Int = 16_384, handshakes: Int = 1_024,
    handshakeTimeout: Duration = .seconds(5), idleLimit: Duration? = .seconds(30),
    keptBytes: Int = 8 << 20, unreadReplies: Int = 64 << 10, commandsPerSecond: Int = 100,
    refusals: Int = 2_000, backlog: Int = 1_024, sendBuffer: Int? = nil,
    unsent: Int? = nil
  ) {
    self.limits = limits
    self.connections = connections
    self.connectionsPerAddress = connectionsPerAddress
    self.handshakes = handshakes
    self.handshakeTimeout = handshakeTimeout
    self.idleLimit = idleLimit
    self.keptBytes = keptBytes
    self.unreadReplies = unreadReplies
    self.commandsPerSecond = commandsPerSecond
    self.refusals = refusals
    self.backlog = backlog
    self.sendBuffer = sendBuffer
    self.unsent = unsent
  }

  /// The options for requests: messages of one frame with at most 64 KiB.
  public static let requests = ListenerOptions(
    limits: ZMTPLimits(frameBytes: 64 << 10, messageBytes: 64 << 10, messageFrames: 1))
}
