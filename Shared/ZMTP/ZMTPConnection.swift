/// One side of a ZMTP connection, without I/O (37/ZMTP: ZeroMQ Message Transport Protocol 3.1, with
/// the NULL mechanism).
///
/// The bytes that a peer sent go in, in pieces of any size; frames of messages come out, and bytes
/// to send to it. 3.0 is understood as well: it has no `PING`.
///
///     var connection = ZMTPConnection(.router, limits: limits)
///     send(connection.takeOutput())                // The greeting.
///     try connection.receive(bytes) { frame, isLast in … }
///     send(connection.takeOutput())                // READY, PONG.
public struct ZMTPConnection: Sendable {
  /// What a peer said of itself in the handshake.
  public struct Peer: Hashable, Sendable {
    /// What its socket is.
    public let socketType: ZMTPSocketType

    /// The name that it wants to be known by, at most 255 bytes; empty if it does not care.
    public let identity: [UInt8]

    /// 0 or 1: the version behind the 3.
    public let minorVersion: UInt8
  }

  /// Who is there; `nil` until the handshake is done.
  public private(set) var peer: Peer?

  /// What goes wrong with the connection, if something did: nothing more is read.
  public private(set) var failure: ZMTPError?

  /// Bytes of the peer's that are kept until what they are a part of is all there.
  public var buffered: Int { pending.count + header.count }

  private let socketType: ZMTPSocketType
  private let limits: ZMTPLimits
  private var minorVersion: UInt8?
  private var output: [UInt8]

  /// Answers the newest `PING`: a peer that asks faster than it reads is answered once.
  private var pong: [UInt8] = []

  /// The beginning of a greeting, or of a frame's body.
  private var pending: [UInt8] = []

  /// The beginning of a frame's header.
  private var header: [UInt8] = []

  /// The frame whose body is awaited.
  private var frame: FrameHeader?

  /// Of the message that is under way.
  private var messageFrames = 0
  private var messageBytes = 0

  /// The flags and the size of a frame.
  private struct FrameHeader {
    let flags: UInt8
    let size: Int

    var isCommand: Bool { flags & ZMTPFrame.command != 0 }
    var isLast: Bool { flags & ZMTPFrame.more == 0 }
  }

  /// Begins: the greeting is ready to be sent.
  ///
  /// - Parameters:
  ///   - socketType: What this side is.
  ///   - identity: The name by which it wants to be known, at most 255 bytes.
  public init(
    _ socketType: ZMTPSocketType, identity: [UInt8] = [], limits: ZMTPLimits = ZMTPLimits()
  ) {
    precondition(identity.count <= 255, "An identity has 255 bytes at most.")
    self.socketType = socketType
    self.limits = limits
    var properties = [ZMTPProperty("Socket-Type", Array(socketType.rawValue.utf8))]
    if !identity.isEmpty { properties.append(ZMTPProperty("Identity", identity)) }
    output = ZMTPGreeting.own
    ready = ZMTPCommand.ready(properties)
  }

  /// Sent when the peer's greeting has come.
  private let ready: [UInt8]

  /// What must be sent to the peer, before any message; it is handed over once.
  public mutating func takeOutput() -> [UInt8] {
    defer { (output, pong) = ([], []) }
    return output + pong
  }

  /// Whether ``takeOutput()`` has something.
  public var hasOutput: Bool { !output.isEmpty || !pong.isEmpty }

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
    do throws(ZMTPError) {
      var offset = 0
      while offset < bytes.count {
        let rest = bytes.extracting(offset..<bytes.count)
        offset += minorVersion == nil ? try takeGreeting(rest) : try takeFrame(rest, body)
      }
    } catch {
      failure = error
      (pending, header, frame) = ([], [], nil)
      if error.isToldToPeer {
        ZMTPFrame.append(
          flags: ZMTPFrame.command, ZMTPCommand.error(error.description).span, to: &output)
      }
      throw error
    }
  }

  // MARK: Reading

  /// - Returns: How many bytes it took; all of these functions take at least one.
  private mutating func takeGreeting(_ bytes: Span<UInt8>) throws(ZMTPError) -> Int {
    let count = min(bytes.count, ZMTPGreeting.size - pending.count)
    pending.append(copying: bytes.extracting(0..<count))
    guard let greeting = try ZMTPGreeting(pending) else { return count }
    pending = []
    minorVersion = greeting.minorVersion
    let ready = ready
    ZMTPFrame.append(flags: ZMTPFrame.command, ready.span, to: &output)
    return count
  }

  private mutating func takeFrame(
    _ bytes: Span<UInt8>, _ body: (Span<UInt8>, Bool) -> Void
  ) throws(ZMTPError) -> Int {
    guard let frame else {
      header.append(bytes[0])
      self.frame = try readHeader()
      // An empty frame has all of its body.
      if let frame = self.frame, frame.size == 0 {
        try finish(frame, bytes.extracting(0..<0), body)
      }
      return 1
    }
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

  /// - Returns: `nil` while the header is not all there.
  private mutating func readHeader() throws(ZMTPError) -> FrameHeader? {
    let flags = header[0]
    let known = ZMTPFrame.more | ZMTPFrame.long | ZMTPFrame.command
    let isCommand = flags & ZMTPFrame.command != 0
    guard flags & ~known == 0, !isCommand || flags & ZMTPFrame.more == 0 else {
      throw .flags(flags)
    }
    guard isCommand || peer != nil else { throw .outOfTurn }
    guard header.count == (flags & ZMTPFrame.long == 0 ? 2 : ZMTPFrame.longestHeader) else {
      return nil
    }
    let size = header.dropFirst().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let most = isCommand ? limits.commandBytes : limits.frameBytes
    guard size <= UInt64(most) else { throw .frameSize }
    header = []
    let frame = FrameHeader(flags: flags, size: Int(size))
    if !isCommand { try count(frame) }
    return frame
  }

  /// Counts a frame into its message before a byte of it is kept.
  private mutating func count(_ frame: FrameHeader) throws(ZMTPError) {
    messageFrames += 1
    messageBytes += frame.size
    guard messageFrames <= limits.messageFrames else { throw .messageFrames }
    guard messageBytes <= limits.messageBytes else { throw .messageSize }
    if frame.isLast { (messageFrames, messageBytes) = (0, 0) }
  }

  private mutating func finish(
    _ frame: FrameHeader, _ bytes: Span<UInt8>, _ body: (Span<UInt8>, Bool) -> Void
  ) throws(ZMTPError) {
    self.frame = nil
    if frame.isCommand {
      var command: [UInt8] = []
      command.append(copying: bytes)
      try obey(try ZMTPCommand(command))
    } else {
      body(bytes, frame.isLast)
    }
  }

  // MARK: Commands

  private mutating func obey(_ command: ZMTPCommand) throws(ZMTPError) {
    switch command {
    case .ready(let properties):
      guard peer == nil else { throw .outOfTurn }
      peer = try readPeer(properties)
    case .error(let reason): throw .refused(reason)
    case .ping(let context):
      guard peer != nil else { throw .outOfTurn }
      pong = []
      ZMTPFrame.append(
        flags: ZMTPFrame.command, ZMTPCommand.pong(to: context).span, to: &pong)
    case .pong, .unknown:
      guard peer != nil else { throw .outOfTurn }
    }
  }

  private func readPeer(_ properties: [ZMTPProperty]) throws(ZMTPError) -> Peer {
    func value(_ name: String) -> [UInt8]? { properties.first { $0.isNamed(name) }?.value }
    let name = value("Socket-Type").map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard let type = ZMTPSocketType(rawValue: name), socketType.speaks(with: type) else {
      throw .socketType(name)
    }
    let identity = value("Identity") ?? []
    guard identity.count <= 255 else { throw .command }
    return Peer(socketType: type, identity: identity, minorVersion: minorVersion ?? 0)
  }
}

extension ZMTPError {
  /// Whether a peer that speaks ZMTP can make use of the reason.
  fileprivate var isToldToPeer: Bool {
    switch self {
    case .socketType: true
    default: false
    }
  }
}
