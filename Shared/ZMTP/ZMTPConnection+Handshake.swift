/// The parts of a connection that depend on the mechanism.
extension ZMTPConnection {
  /// Reacts to the peer's greeting.
  mutating func beginHandshake() throws(ZMTPError) {
    switch mechanism {
    case .null: append(command: ZMTPCommand.ready(metadata))
    case .client(var handshake):
      let hello = try handshake.hello()
      mechanism = .client(handshake)
      append(command: hello)
    case .server, .session: break
    }
  }

  /// Handles a complete frame of a peer under CURVE.
  mutating func finishSecured(
    _ frame: Span<UInt8>, _ body: (Span<UInt8>, Bool) -> Void
  ) throws(ZMTPError) {
    switch mechanism {
    case .session(var session):
      defer { mechanism = .session(session) }
      try session.open(frame) { (flags, bytes) throws(ZMTPError) in
        try takeOpened(flags, bytes, body)
      }
    case .null, .server, .client: try takeHandshake(frame.copy)
    }
  }

  /// Handles a command of a CURVE handshake.
  private mutating func takeHandshake(_ command: [UInt8]) throws(ZMTPError) {
    switch mechanism {
    case .server(var handshake):
      defer { if case .server = mechanism { mechanism = .server(handshake) } }
      switch try handshake.take(command) {
      case .welcome(let welcome): append(command: welcome)
      case .accepted(let accepted): try admit(accepted)
      }
    case .client(var handshake):
      defer { if case .client = mechanism { mechanism = .client(handshake) } }
      switch try handshake.take(command) {
      case .initiate(let initiate): append(command: initiate)
      case .ready(let session, let metadata):
        try meet(ZMTPProperty.read(metadata), publicKey: handshake.serverKey)
        mechanism = .session(session)
      }
    case .null, .session: throw .outOfTurn
    }
  }

  /// Admits a client that has proved its key.
  private mutating func admit(_ client: CurveServerHandshake.Accepted) throws(ZMTPError) {
    try meet(ZMTPProperty.read(client.metadata), publicKey: client.publicKey)
    append(command: ZMTPCommand.ready(client.session.seal(metadata, "CurveZMQREADY---")))
    mechanism = .session(client.session)
  }

  // MARK: Sealed frames

  /// Checks the header of a sealed frame before the connection keeps any byte of the frame. The
  /// frame's kind is unknown until the connection opens the frame.
  ///
  /// In the standard, the outer frame is a command. In libzmq, the outer frame is a message of one
  /// frame. Other implementations repeat the inner frame's flag in the outer frame. This side
  /// accepts all three forms. This side uses only the inner flags, because the sender does not seal
  /// the outer flags.
  func beginSealed(_ frame: ZMTPFrameHeader) throws(ZMTPError) {
    let most = max(limits.frameBytes, limits.commandBytes)
    guard frame.size - CurveSession.overhead <= most else { throw .frameSize }
  }

  private mutating func takeOpened(
    _ flags: UInt8, _ bytes: Span<UInt8>, _ body: (Span<UInt8>, Bool) -> Void
  ) throws(ZMTPError) {
    switch flags {
    case CurveSession.command:
      guard bytes.count <= limits.commandBytes else { throw .frameSize }
      try obey(try ZMTPCommand(bytes.copy))
    case 0, ZMTPFrameWriter.more:
      guard bytes.count <= limits.frameBytes else { throw .frameSize }
      try count(bytes.count, isLast: flags == 0)
      body(bytes, flags == 0)
    default: throw .flags(flags)
    }
  }

  // MARK: Commands

  mutating func append(command: [UInt8]) {
    // Two variables avoid overlapping access to `output`.
    var bytes = output
    output = []
    append(command: command, to: &bytes)
    output = bytes
  }
}
