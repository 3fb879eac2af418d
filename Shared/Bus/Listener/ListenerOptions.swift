public import ZMTP

/// What a listener takes from strangers.
public struct ListenerOptions: Sendable {
  /// What one connection may send.
  public var limits: ZMTPLimits

  /// Connections at once; one more waits to be accepted. What the system leaves of descriptors
  /// bounds it too: see ``ClientListener/mostConnections``.
  public var connections: Int

  /// Of these, from one address of another machine; one more is ended.
  public var connectionsPerAddress: Int

  /// Connections that have not said who they are; more wait to be accepted.
  public var handshakes: Int

  /// How long a connection may take to say who it is, and for each message that it has begun.
  public var handshakeTimeout: Duration

  /// How long a connection may go without being of use; see ``ClientListener/wasUsed(_:)``.
  /// `nil`: for ever.
  public var idleLimit: Duration?

  /// Bytes that may be kept of all connections together, of messages that have begun and of replies
  /// that are not read: beyond it the one for which most is kept is ended.
  public var keptBytes: Int

  /// Replies that a connection has not read, in bytes: beyond it nothing more is read from it until
  /// it has.
  public var unreadReplies: Int

  /// Commands of one connection in a second, `PING` for one; beyond it it is ended.
  public var commandsPerSecond: Int

  /// What may be refused to a connection in a row before it is ended.
  public var refusals: Int

  /// How many connections may wait to be accepted.
  public var backlog: Int

  /// How connections over tcp are secured; those over Unix sockets never are.
  public var security = ZMTPSecurity.null

  /// Who may stay that has come by a key; `nil`: everybody.
  public var admission: KeyAdmission?

  /// What the system may hold of a connection that is not read, in bytes, about; `nil`: as much as
  /// it likes. What it has taken cannot be taken back, and a Unix socket that is full takes more
  /// only once three quarters have been read.
  public var sendBuffer: Int?

  /// Bytes that a tcp connection may not have sent yet; while it is more, it takes none: beyond
  /// what is under way nothing is out of reach. `nil`: as many as its buffer holds.
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

  /// For requests: messages of one frame with 64 KiB at most.
  public static let requests = ListenerOptions(
    limits: ZMTPLimits(frameBytes: 64 << 10, messageBytes: 64 << 10, messageFrames: 1))
}
