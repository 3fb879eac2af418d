/// One side of a ZMTP connection, without I/O (37/ZMTP: ZeroMQ Message Transport Protocol 3.1, with
/// the mechanisms NULL and CURVE).
///
/// The connection consumes the peer's bytes in pieces of any size, and produces two outputs: the
/// frames of messages, and the bytes to send. The connection also accepts ZMTP 3.0, which has no
/// `PING`.
///
///     var connection = ZMTPConnection(.router, limits: limits)
///     send(connection.takeOutput())                // The greeting.
///     try connection.receive(bytes) { frame, isLast in … }
///     send(connection.takeOutput())                // READY, PONG.
///     connection.append(answer, to: &bytes)        // Once there is a peer.
///     send(bytes)
///
/// CURVE numbers sealed frames, so callers must send the bytes from ``takeOutput()`` and
/// ``append(_:isLast:to:)`` in the order of the calls.
public struct ZMTPConnection: Sendable {
  /// The properties that a peer sent in the handshake.
  public struct Peer: Hashable, Sendable {
    /// The type of the peer's socket.
    public let socketType: ZMTPSocketType

    /// The name that the peer requests, at most 255 bytes; empty if the peer has no preference.
    public let identity: [UInt8]

    /// The minor version of ZMTP 3: 0 or 1.
    public let minorVersion: UInt8

    /// The key whose ownership the peer has proved; `nil` if the connection does not use CURVE.
    public internal(set) var publicKey: CurvePublicKey?
  }

  /// The peer; `nil` until the handshake is complete.
  public private(set) var peer: Peer? {
    didSet { hasPeer = true }
  }

  /// Whether there is a ``peer``, stored separately because the connection checks this value for
  /// each frame.
  private var hasPeer = false

  /// The error of the connection; `nil` if there is no error. After an error, the connection reads
  /// nothing.
  public private(set) var failure: ZMTPError?

  /// The number of commands that the peer has sent since the handshake: pings and unknown commands.
  ///
  /// This type has no clock, so the caller limits the rate of commands.
  public private(set) var commands = 0

  /// The number of received bytes that the connection keeps until a frame or header is complete.
  public var buffered: Int { pending.count + header.count }

  /// Whether the output of ``ZMTPFrameWriter/append(_:isLast:to:)`` needs no change for this peer,
  /// so that many peers can share the output.
  public let sharesFrames: Bool

  /// The security mechanism in its current state.
  enum Mechanism: Sendable {
    case null
    case server(CurveServerHandshake)
    case client(CurveClientHandshake)
    case session(CurveSession)
  }

  let limits: ZMTPLimits
  var mechanism: Mechanism
  var output: [UInt8]

  /// The metadata of this side.
  let metadata: [UInt8]

  private let socketType: ZMTPSocketType
  private let mechanismName: StaticString
  private var minorVersion: UInt8?

  /// The context of the newest `PING`. If a peer sends pings faster than the peer reads answers,
  /// the peer gets only the answer to this `PING`.
  private var pinged: [UInt8]?

  /// The beginning of a greeting, or of a frame's body.
  private var pending: [UInt8] = []

  /// The beginning of a frame's header that arrived in pieces.
  private var header: [UInt8] = []

  /// The frame whose body is incomplete.
  private var frame: ZMTPFrameHeader?

  /// The value of ``commands`` at the start of the current call of `receive`.
  private var commandsBefore = 0

  /// The number of frames and the number of bytes of the current message so far.
  private var messageFrames = 0
  private var messageBytes = 0

  /// Starts a connection. The greeting is then ready in ``takeOutput()``.
  ///
  /// - Parameters:
  ///   - socketType: The type of this side's socket.
  ///   - identity: The name that this side requests, at most 255 bytes.
  ///   - security: The mechanism that both sides must use.
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

  /// Returns and removes the bytes to send to the peer before any message.
  public mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    if let context = pinged.take() { append(command: ZMTPCommand.pong(to: context)) }
    return output
  }

  /// Whether ``takeOutput()`` has bytes to return.
  public var hasOutput: Bool { !output.isEmpty || pinged != nil }

  /// Writes one frame of a message to the peer.
  ///
  /// - Parameters:
  ///   - body: The content of the frame, of any size.
  ///   - isLast: Whether the frame is the last frame of the message.
  ///   - bytes: The buffer for the output. Under CURVE there must be a ``peer``, and the caller may
  ///     send the output only to this peer and only once.
  public mutating func append(
    _ body: Span<UInt8>, isLast: Bool = true, to bytes: inout [UInt8]
  ) {
    switch mechanism {
    case .null: ZMTPFrameWriter.append(body, isLast: isLast, to: &bytes)
    case .session(let session):
      session.append(flags: isLast ? 0 : ZMTPFrameWriter.more, body, to: &bytes)
    case .server, .client: preconditionFailure("CURVE seals nothing before there is a peer.")
    }
  }

  /// Writes shared frames, made by ``ZMTPFrameWriter/append(_:isLast:to:)``, to this peer.
  ///
  /// - Parameters:
  ///   - frames: Complete frames, one after another. This method writes the first frame, and writes
  ///     further frames while the output has fewer than `limit` bytes.
  ///   - bytes: The buffer for the output.
  /// - Returns: The number of bytes of `frames` that this method wrote.
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

  /// Writes a command. Seals the command, except during the handshake.
  func append(command: [UInt8], to bytes: inout [UInt8]) {
    switch mechanism {
    case .session(let session):
      session.append(flags: CurveSession.command, command.span, to: &bytes)
    case .null, .server, .client:
      ZMTPFrameWriter.append(flags: ZMTPFrameWriter.command, command.span, to: &bytes)
    }
  }

  // MARK: Reading

  /// Processes bytes of the peer.
  ///
  /// - Parameters:
  ///   - bytes: The next bytes; any number of bytes is valid.
  ///   - body: Called for each frame of a message. The second argument states whether the frame is
  ///     the last frame of its message. The frame is valid only during the call.
  /// - Throws: ``ZMTPError``. After an error, each later call throws the same error.
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

  /// Returns the text of the ERROR command for an error; `nil` if the connection sends no command.
  private func statedReason(of error: ZMTPError) -> String? {
    switch (error, mechanism) {
    // The status code of 27/ZAP, as in libzmq.
    case (.unwelcome, _): "400"
    case (.socketType, .null), (.socketType, .server): error.description
    default: nil
    }
  }

  /// Consumes bytes of the greeting.
  ///
  /// - Returns: The number of consumed bytes, at least one.
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
    // A header in pieces is rare: at most one per read.
    header.append(bytes[0])
    if let whole = try ZMTPFrameHeader(header.span) {
      header = []
      try begin(whole, body)
    }
    return 1
  }

  /// Checks a frame before the connection keeps a byte of its body.
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
    // An empty frame is complete as soon as its header is complete.
    guard frame.size == 0 else { return self.frame = frame }
    try finish(frame, Span(), body)
  }

  /// Counts a frame and the frame's bytes as parts of the current message.
  mutating func count(_ bytes: Int, isLast: Bool) throws(ZMTPError) {
    messageFrames += 1
    messageBytes += bytes
    // A frame with the "more" flag already implies another frame.
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

  /// Completes the handshake: checks and stores the peer's properties.
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
