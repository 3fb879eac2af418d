/// What is different from mechanism to mechanism.
extension ZMTPConnection {
  /// Follows the peer's greeting.
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

  /// Takes a whole frame of a peer under CURVE.
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

  /// Takes a command of a CURVE handshake.
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

  /// Lets a client in that has proved who it is.
  private mutating func admit(_ client: CurveServerHandshake.Accepted) throws(ZMTPError) {
    try meet(ZMTPProperty.read(client.metadata), publicKey: client.publicKey)
    append(command: ZMTPCommand.ready(client.session.seal(metadata, "CurveZMQREADY---")))
    mechanism = .session(client.session)
  }

  // MARK: What is sealed

  /// Judges a frame that holds another one before a byte of it is kept. Which kind that is shows
  /// only when it is opened.
  ///
  /// The standard has a command here, libzmq sends a message of one frame, and others repeat the
  /// inner frame's flag outside. All are taken, and the inner flags count: the outer ones are not
  /// sealed.
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
    case 0, ZMTPFrame.more:
      guard bytes.count <= limits.frameBytes else { throw .frameSize }
      try count(bytes.count, isLast: flags == 0)
      body(bytes, flags == 0)
    default: throw .flags(flags)
    }
  }

  // MARK: Commands

  mutating func append(command: [UInt8]) {
    // Two variables, so that the one is not read while the other is written.
    var bytes = output
    output = []
    append(command: command, to: &bytes)
    output = bytes
  }
}
