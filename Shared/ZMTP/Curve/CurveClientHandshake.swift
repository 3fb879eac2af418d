/// The client's side of a CURVE handshake (26/CurveZMQ).
struct CurveClientHandshake: Sendable {
  enum Step {
    case initiate([UInt8])
    /// The server has proved its key. The values are the session and the server's metadata.
    case ready(CurveSession, metadata: [UInt8])
  }

  private enum State: Sendable {
    case awaitsWelcome(CurveSecretKey)
    case awaitsReady(CurveSession)
    case ended
  }

  let serverKey: CurvePublicKey
  private let secretKey: CurveSecretKey
  private let metadata: [UInt8]
  private let random: CurveRandom.Source
  private var state = State.ended

  /// - Parameters:
  ///   - serverKey: The expected key of the server.
  ///   - secretKey: The key of this side.
  ///   - metadata: The metadata of this side.
  init(
    serverKey: CurvePublicKey, _ secretKey: CurveSecretKey, metadata: [UInt8],
    random: @escaping CurveRandom.Source
  ) {
    self.serverKey = serverKey
    self.secretKey = secretKey
    self.metadata = metadata
    self.random = random
  }

  /// Returns the first command.
  ///
  /// - Throws: ``ZMTPError/box(_:)`` if the server's key is invalid.
  mutating func hello() throws(ZMTPError) -> [UInt8] {
    let transient = CurveSecretKey(from: random)
    let zeros = [UInt8](repeating: 0, count: 72)
    let box = CurveBox.seal(
      Array(zeros.prefix(64)), CurveNonce("CurveZMQHELLO---", number: Self.helloNumber),
      from: transient, to: serverKey)
    guard let box else { throw .box(.hello) }
    state = .awaitsWelcome(transient)
    return [5] + Array("HELLO".utf8) + [1, 0] + zeros + transient.publicKey.bytes
      + [0, 0, 0, 0, 0, 0, 0, UInt8(Self.helloNumber)] + box
  }

  private static let helloNumber: UInt64 = 1

  /// Handles a command.
  ///
  /// - Parameter body: The command, including its name.
  mutating func take(_ body: [UInt8]) throws(ZMTPError) -> Step {
    let before = state
    state = .ended
    switch (before, try ZMTPCommandParser.name(of: body)) {
    case (_, "ERROR"):
      guard case .error(let reason) = try ZMTPCommand(body) else { throw .command }
      throw .refused(reason)
    case (.awaitsWelcome(let transient), "WELCOME"):
      return .initiate(try takeWelcome(body, transient))
    case (.awaitsReady(var session), "READY"):
      guard body.count >= 6 + 8 + CurveBox.overhead else { throw .command }
      let metadata = try session.open(body.dropFirst(6), "CurveZMQREADY---", .ready)
      return .ready(session, metadata: metadata)
    case (.awaitsWelcome, _), (.awaitsReady, _), (.ended, _): throw .outOfTurn
    }
  }

  private mutating func takeWelcome(
    _ body: [UInt8], _ transient: CurveSecretKey
  ) throws(ZMTPError) -> [UInt8] {
    guard body.count == 168 else { throw .command }
    let nonce = CurveNonce("WELCOME-", random: body[8..<24])
    guard let opened = CurveBox.open(body[24...], nonce, from: serverKey, to: transient),
      let server = CurvePublicKey(bytes: Array(opened.prefix(32))),
      let secret = CurveBox.agree(server, transient)
    else { throw .box(.welcome) }
    let session = CurveSession(.client, secret, sent: Self.helloNumber, received: nil)
    let vouchNonce = random(16)
    let vouch = CurveBox.seal(
      transient.publicKey.bytes + serverKey.bytes,
      CurveNonce("VOUCH---", random: vouchNonce[...]), from: secretKey, to: server)
    guard let vouch else { throw .box(.welcome) }
    state = .awaitsReady(session)
    let sealed = session.seal(
      secretKey.publicKey.bytes + vouchNonce + vouch + metadata, "CurveZMQINITIATE")
    return [8] + Array("INITIATE".utf8) + opened.dropFirst(32) + sealed
  }
}
