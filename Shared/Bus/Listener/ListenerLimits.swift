public import ZMTP

/// The limits of a listener for unknown peers.
public struct ListenerLimits: Sendable {
  /// The limits of one connection's messages.
  public var limits: ZMTPLimits

  /// The maximum number of simultaneous connections. Further peers wait until the listener accepts
  /// them.
  ///
  /// The limit of open files restricts the number too: see ``ClientListener/mostConnections``.
  public var connections: Int

  /// The maximum number of connections from one address of another machine. The listener closes
  /// further connections.
  public var connectionsPerAddress: Int

  /// The maximum number of connections with an unfinished handshake. Further peers wait until the
  /// listener accepts them.
  public var handshakes: Int

  /// The time limit for the handshake, and for each message. The time of a message counts from the
  /// message's first byte.
  public var handshakeTimeout: Duration

  /// The time without a served request after which the listener ends a connection; see
  /// ``ClientListener/wasUsed(_:)``.
  ///
  /// The value `nil` means that there is no limit.
  public var idleLimit: Duration?

  /// The maximum number of bytes kept for all connections together, in unfinished messages and
  /// unread replies.
  ///
  /// At the limit, the listener ends the connection that uses the most memory.
  public var keptBytes: Int

  /// The maximum number of bytes of unread replies per connection.
  ///
  /// At the limit, the listener stops reading from the connection until the peer has read enough
  /// replies.
  public var unreadReplies: Int

  /// The maximum number of commands, such as `PING`, that one peer may send per second.
  ///
  /// Above the limit, the listener ends the connection.
  public var commandsPerSecond: Int

  /// The maximum number of consecutive refused requests. After this number, the listener ends the
  /// connection.
  public var refusals: Int

  /// The maximum number of connections that the kernel keeps until the server accepts them.
  public var backlog: Int

  /// The security of tcp connections. The listener never encrypts Unix sockets.
  public var security = ZMTPSecurity.null

  /// The admission of clients by their keys; `nil` admits every key. When the admission excludes
  /// further keys, the listener checks connected clients again.
  public var admission: KeyAdmission?

  /// The approximate limit, in bytes, of the system's buffer for a connection that does not read;
  /// `nil` for the system's default.
  ///
  /// The listener cannot recall buffered bytes. A full Unix socket accepts more bytes only after
  /// the peer has read three quarters of the buffered bytes.
  public var sendBuffer: Int?

  /// The maximum number of unsent bytes in a tcp socket's buffer; `nil` for the size of the buffer.
  ///
  /// Above this number, the socket accepts no more output. The remaining output stays in the
  /// listener's queue, from which the listener can still drop it.
  public var unsent: Int?

  /// Makes limits.
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

  /// The limits for requests: messages of one frame with at most 64 KiB.
  public static let requests = ListenerLimits(
    limits: ZMTPLimits(frameBytes: 64 << 10, messageBytes: 64 << 10, messageFrames: 1))
}
