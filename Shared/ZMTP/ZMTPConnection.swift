/// One side of a ZMTP connection, without I/O (37/ZMTP: ZeroMQ Message Transport Protocol 3.1, with
/// the mechanisms NULL and CURVE).
///
/// The bytes that a peer sent go in, in pieces of any size; frames of messages come out, and bytes
/// to send to it. 3.0 is understood as well: it has no `PING`.
///
///     var connection = ZMTPConnection(.router, limits: limits)
///     send(connection.takeOutput())                // The greeting.
///     try connection.receive(bytes) { frame, isLast in … }
///     send(connection.takeOutput())                // READY, PONG.
///     connection.append(answer, to: &bytes)        // Once there is a peer.
///     send(bytes)
///
/// CURVE numbers what it seals: the bytes that ``takeOutput()`` and ``append(_:isLast:to:)`` made
/// must be sent in the order of the calls.
public struct ZMTPConnection: Sendable {
  /// What a peer said of itself in the handshake.
  public struct Peer: Hashable, Sendable {
    /// What its socket is.
    public let socketType: ZMTPSocketType

    /// The name that it wants to be known by, at most 255 bytes; empty if it does not care.
    public let identity: [UInt8]

    /// 0 or 1: the version behind the 3.
    public let minorVersion: UInt8

    /// The key that it has proved to own, under CURVE; `nil` otherwise.
    public internal(set) var publicKey: CurvePublicKey?
  }

  /// Who is there; `nil` until the handshake is done.
  public private(set) var peer: Peer? {
    didSet { hasPeer = true }
  }

  /// Told without a look at who it is, for each frame.
  private var hasPeer = false

  /// What goes wrong with the connection, if something did: nothing more is read.
  public private(set) var failure: ZMTPError?

  /// How many commands the peer has sent since the handshake: pings, and what means nothing here.
  ///
  /// Their rate is for the caller to judge, who has a clock.
  public private(set) var commands = 0

  /// Bytes of the peer's that are kept until what they are a part of is all there.
  public var buffered: Int { pending.count + header.count }

  /// Whether what ``ZMTPFrame/append(_:isLast:to:)`` writes can be sent to the peer as it is, and
  /// so the same bytes to many.
  public let sharesFrames: Bool

  /// What stands between frames and the wire.
  enum Mechanism: Sendable {
    case null
    case server(CurveServerHandshake)
    case client(CurveClientHandshake)
    case session(CurveSession)
  }

  let limits: ZMTPLimits
  var mechanism: Mechanism
  var output: [UInt8]

  /// What this side says of itself.
  let metadata: [UInt8]

  private let socketType: ZMTPSocketType
  private let mechanismName: StaticString
  private var minorVersion: UInt8?

  /// The context of the newest `PING`: a peer that asks faster than it reads is answered once.
  private var pinged: [UInt8]?

  /// The beginning of a greeting, or of a frame's body.
  private var pending: [UInt8] = []

  /// The beginning of a frame's header that came in pieces.
  private var header: [UInt8] = []

  /// The frame whose body is awaited.
  private var frame: ZMTPFrameHeader?

  /// What ``commands`` was when the call of `receive` began.
  private var commandsBefore = 0

  /// Of the message that is under way.
  private var messageFrames = 0
  private var messageBytes = 0

  /// Begins: the greeting is ready to be sent.
  ///
  /// - Parameters:
  ///   - socketType: What this side is.
  ///   - identity: The name by which it wants to be known, at most 255 bytes.
  ///   - security: The mechanism that both sides must have.
  public init(
    _ socketType: ZMTPSocketType, identity: [UInt8] = [], security: ZMTPSecurity = .null,
    limits: ZMTPLimits = ZMTPLimits()
  ) {
    self.init(
      socketType, identity: identity, security: security, limits: limits, random: CurveRandom.system
    )
  }

  init(
    _ socketType: ZMTPSocketType, identity: [UInt8] = [], security: ZMTPSecurity,
    limits: ZMTPLimits = ZMTPLimits(), random: @escaping CurveRandom.Source
  ) {
    precondition(identity.count <= 255, "An identity has 255 bytes at most.")
    self.socketType = socketType
    self.limits = limits
    var properties = [ZMTPProperty("Socket-Type", Array(socketType.rawValue.utf8))]
    if !identity.isEmpty { properties.append(ZMTPProperty("Identity", identity)) }
    metadata = properties.flatMap(\.bytes)
    output = ZMTPGreeting.own(security)
    mechanismName = security.name
    sharesFrames = security.isNull
    mechanism =
      switch security {
      case .null: .null
      case .curveServer(let secretKey, let isWelcome):
        .server(CurveServerHandshake(secretKey, random: random, isWelcome: isWelcome))
      case .curveClient(let serverKey, let secretKey):
        .client(
          CurveClientHandshake(
            serverKey: serverKey, secretKey, metadata: metadata, random: random))
      }
  }

  // MARK: Writing

  /// What must be sent to the peer, before any message; it is handed over once.
  public mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    if let context = pinged.take() { append(command: ZMTPCommand.pong(to: context)) }
    return output
  }

  /// Whether ``takeOutput()`` has something.
  public var hasOutput: Bool { !output.isEmpty || pinged != nil }

  /// Writes one frame of a message to the peer.
  ///
  /// - Parameters:
  ///   - body: What it holds; any size.
  ///   - isLast: Whether the message ends with it.
  ///   - bytes: Where it is added. Under CURVE there must be a ``peer``, and what is written can be
  ///     sent once, to this peer.
  public mutating func append(
    _ body: Span<UInt8>, isLast: Bool = true, to bytes: inout [UInt8]
  ) {
    switch mechanism {
    case .null: ZMTPFrame.append(body, isLast: isLast, to: &bytes)
    case .session(let session):
      session.append(flags: isLast ? 0 : ZMTPFrame.more, body, to: &bytes)
    case .server, .client: preconditionFailure("CURVE seals nothing before there is a peer.")
    }
  }

  /// Writes messages to the peer that ``ZMTPFrame/append(_:isLast:to:)`` wrote for nobody in
  /// particular.
  ///
  /// - Parameters:
  ///   - frames: Whole frames, one behind the other. The first is taken, and those that follow as
  ///     long as no more than `limit` bytes of the peer's are there.
  ///   - bytes: Where what the peer is sent is added.
  /// - Returns: How many bytes of `frames` were taken.
  public mutating func append(
    frames: Span<UInt8>, upTo limit: Int, to bytes: inout [UInt8]
  ) -> Int {
    var offset = 0
    while offset < frames.count, offset == 0 || bytes.count < limit {
      let rest = frames.extracting(offset..<frames.count)
      guard let header = try? ZMTPFrameHeader(rest), rest.count >= header.byteCount + header.size
      else { preconditionFailure("Frames for a peer must be whole.") }
      let end = header.byteCount + header.size
      append(rest.extracting(header.byteCount..<end), isLast: header.isLast, to: &bytes)
      offset += end
    }
    return offset
  }

  /// Writes a command; one of the handshake goes as it is.
  func append(command: [UInt8], to bytes: inout [UInt8]) {
    switch mechanism {
    case .session(let session):
      session.append(flags: CurveSession.command, command.span, to: &bytes)
    case .null, .server, .client:
      ZMTPFrame.append(flags: ZMTPFrame.command, command.span, to: &bytes)
    }
  }

  // MARK: Reading

  /// Takes what the peer has sent.
  ///
  /// - Parameters:
  ///   - bytes: The next ones, any number.
  ///   - body: Called for each frame of a message, which is lent for the call, and whether the
  ///     message ends with it.
  /// - Throws: ``ZMTPError``, and the same at each later call.
  public mutating func receive(
    _ bytes: Span<UInt8>, _ body: (_ frame: Span<UInt8>, _ isLast: Bool) -> Void
  ) throws(ZMTPError) {
    if let failure { throw failure }
    commandsBefore = commands
    do throws(ZMTPError) {
      var offset = 0
      while offset < bytes.count {
        let rest = bytes.extracting(offset..<bytes.count)
        offset += minorVersion == nil ? try takeGreeting(rest) : try takeFrame(rest, body)
      }
    } catch {
      failure = error
      (pending, header, frame) = ([], [], nil)
      if let reason = statedReason(of: error) {
        append(command: ZMTPCommand.error(reason))
      }
      throw error
    }
  }

  /// What a peer that speaks ZMTP can make use of; a CURVE client tells its server nothing.
  private func statedReason(of error: ZMTPError) -> String? {
    switch (error, mechanism) {
    // The status code of 27/ZAP, as libzmq has it.
    case (.unwelcome, _): "400"
    case (.socketType, .null), (.socketType, .server): error.description
    default: nil
    }
  }

  /// - Returns: How many bytes it took; all of these functions take at least one.
  private mutating func takeGreeting(_ bytes: Span<UInt8>) throws(ZMTPError) -> Int {
    let count = min(bytes.count, ZMTPGreeting.size - pending.count)
    pending.append(copying: bytes.extracting(0..<count))
    guard let greeting = try ZMTPGreeting(pending, mechanism: mechanismName) else {
      return count
    }
    pending = []
    minorVersion = greeting.minorVersion
    try beginHandshake()
    return count
  }

  private mutating func takeFrame(
    _ bytes: Span<UInt8>, _ body: (Span<UInt8>, Bool) -> Void
  ) throws(ZMTPError) -> Int {
    guard let frame else { return try takeHeader(bytes, body) }
    let count = min(bytes.count, frame.size - pending.count)
    if count == frame.size {
      try finish(frame, bytes.extracting(0..<count), body)
      return count
    }
    pending.append(copying: bytes.extracting(0..<count))
    guard pending.count == frame.size else { return count }
    let whole = pending
    pending = []
    try finish(frame, whole.span, body)
    return count
  }

  private mutating func takeHeader(
    _ bytes: Span<UInt8>, _ body: (Span<UInt8>, Bool) -> Void
  ) throws(ZMTPError) -> Int {
    if header.isEmpty, let whole = try ZMTPFrameHeader(bytes) {
      try begin(whole, body)
      return whole.byteCount
    }
    // It comes in pieces, which is rare: once in a read at most.
    header.append(bytes[0])
    if let whole = try ZMTPFrameHeader(header.span) {
      header = []
      try begin(whole, body)
    }
    return 1
  }

  /// Judges a frame before a byte of its body is kept.
  private mutating func begin(
    _ frame: ZMTPFrameHeader, _ body: (Span<UInt8>, Bool) -> Void
  ) throws(ZMTPError) {
    guard frame.isCommand || hasPeer else { throw .outOfTurn }
    if !sharesFrames, case .session = mechanism {
      try beginSealed(frame)
    } else {
      guard frame.size <= (frame.isCommand ? limits.commandBytes : limits.frameBytes) else {
        throw .frameSize
      }
      if !frame.isCommand { try count(frame.size, isLast: frame.isLast) }
    }
    // An empty frame has all of its body.
    guard frame.size == 0 else { return self.frame = frame }
    try finish(frame, Span(), body)
  }

  /// Counts a frame into its message.
  mutating func count(_ bytes: Int, isLast: Bool) throws(ZMTPError) {
    messageFrames += 1
    messageBytes += bytes
    // One that says that more follows has said enough.
    let frames = isLast ? messageFrames : messageFrames + 1
    guard frames <= limits.messageFrames else { throw .messageFrames }
    guard messageBytes <= limits.messageBytes else { throw .messageSize }
    if isLast { (messageFrames, messageBytes) = (0, 0) }
  }

  private mutating func finish(
    _ frame: ZMTPFrameHeader, _ bytes: Span<UInt8>, _ body: (Span<UInt8>, Bool) -> Void
  ) throws(ZMTPError) {
    self.frame = nil
    guard sharesFrames else { return try finishSecured(bytes, body) }
    if frame.isCommand {
      try obey(try ZMTPCommand(bytes.copy))
    } else {
      body(bytes, frame.isLast)
    }
  }

  // MARK: Commands

  mutating func obey(_ command: ZMTPCommand) throws(ZMTPError) {
    switch command {
    case .ready(let properties):
      guard peer == nil else { throw .outOfTurn }
      try meet(properties)
    case .error(let reason): throw .refused(reason)
    case .ping(let context):
      try countCommand()
      pinged = context
    case .pong, .unknown: try countCommand()
    }
  }

  private mutating func countCommand() throws(ZMTPError) {
    guard peer != nil else { throw .outOfTurn }
    commands += 1
    guard commands - commandsBefore <= limits.commandsPerRead else { throw .commands }
  }

  /// Ends the handshake, with what the peer says of itself.
  mutating func meet(
    _ properties: [ZMTPProperty], publicKey: CurvePublicKey? = nil
  ) throws(ZMTPError) {
    func value(_ name: String) -> [UInt8]? { properties.first { $0.isNamed(name) }?.value }
    let name = value("Socket-Type").map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard let type = ZMTPSocketType(rawValue: name), socketType.speaks(with: type) else {
      throw .socketType(name)
    }
    let identity = value("Identity") ?? []
    guard identity.count <= 255 else { throw .command }
    peer = Peer(
      socketType: type, identity: identity, minorVersion: minorVersion ?? 0, publicKey: publicKey)
  }
}
