/// The server's side of a CURVE handshake (26/CurveZMQ).
///
/// Between `HELLO` and `INITIATE`, the server keeps only the key of its cookie and the number of
/// the `HELLO`. The cookie contains the transient keys, and the client returns the cookie. The
/// cookie key belongs to this connection alone. The server drops the cookie key at the next command
/// of any kind, so that an attacker cannot replay an `INITIATE`. The connection's owner limits the
/// time that the client may take for the handshake.
struct CurveServerHandshake: Sendable {
  /// A client that has proved its key, and whose key the server admits.
  struct Accepted {
    let session: CurveSession
    let publicKey: CurvePublicKey
    /// The metadata that the client sent.
    let metadata: [UInt8]
  }

  enum Step {
    case welcome([UInt8])
    case accepted(Accepted)
  }

  private enum State: Sendable {
    case awaitsHello
    case awaitsInitiate(cookieKey: CurveSecret, hello: UInt64)
    case ended
  }

  private let secretKey: CurveSecretKey
  private let isWelcome: @Sendable (CurvePublicKey) -> Bool
  private let random: CurveRandom.Source
  private var state = State.awaitsHello

  init(
    _ secretKey: CurveSecretKey, random: @escaping CurveRandom.Source,
    isWelcome: @escaping @Sendable (CurvePublicKey) -> Bool
  ) {
    self.secretKey = secretKey
    self.isWelcome = isWelcome
    self.random = random
  }

  /// Handles a command.
  ///
  /// - Parameter body: The command, including its name.
  mutating func take(_ body: [UInt8]) throws(ZMTPError) -> Step {
    let before = state
    state = .ended
    switch (before, try ZMTPCommandParser.name(of: body)) {
    case (.awaitsHello, "HELLO"): return .welcome(try takeHello(body))
    case (.awaitsInitiate(let cookieKey, let hello), "INITIATE"):
      return .accepted(try takeInitiate(body, cookieKey, hello: hello))
    case (.awaitsHello, _), (.awaitsInitiate, _), (.ended, _): throw .outOfTurn
    }
  }

  private mutating func takeHello(_ body: [UInt8]) throws(ZMTPError) -> [UInt8] {
    var reader = ZMTPCommandParser(body)
    guard reader.bytes(6) != nil, reader.bytes(2) == [1, 0],
      let padding = reader.bytes(72), padding.allSatisfy({ $0 == 0 }),
      let client = reader.bytes(32).flatMap(CurvePublicKey.init), let sent = reader.bytes(8),
      reader.rest.count == 80
    else { throw .command }
    let number = sent.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let nonce = CurveNonce("CurveZMQHELLO---", number: number)
    guard let proof = CurveBox.open(reader.rest, nonce, from: client, to: secretKey),
      proof.allSatisfy({ $0 == 0 })
    else { throw .box(.hello) }
    let cookieKey = makeSecret()
    state = .awaitsInitiate(cookieKey: cookieKey, hello: number)
    return try welcome(client, cookieKey)
  }

  private func welcome(
    _ client: CurvePublicKey, _ cookieKey: CurveSecret
  ) throws(ZMTPError) -> [UInt8] {
    let transient = CurveSecretKey(from: random)
    var kept = transient.bytes
    var content = client.bytes + kept
    kept.wipe()
    let cookieNonce = random(16)
    let cookie = CurveBox.seal(
      content, CurveNonce("COOKIE--", random: cookieNonce[...]), with: cookieKey)
    content.wipe()
    let nonce = random(16)
    let box = CurveBox.seal(
      transient.publicKey.bytes + cookieNonce + cookie,
      CurveNonce("WELCOME-", random: nonce[...]), from: secretKey, to: client)
    guard let box else { throw .box(.hello) }
    return [7] + Array("WELCOME".utf8) + nonce + box
  }

  private func takeInitiate(
    _ body: [UInt8], _ cookieKey: CurveSecret, hello: UInt64
  ) throws(ZMTPError) -> Accepted {
    var reader = ZMTPCommandParser(body)
    guard reader.bytes(9) != nil, let cookieNonce = reader.bytes(16),
      let cookie = reader.bytes(80), reader.rest.count >= 8 + Self.leastInitiate
    else { throw .command }
    var content = CurveBox.open(
      cookie[...], CurveNonce("COOKIE--", random: cookieNonce[...]), with: cookieKey)
    guard content != nil,
      let client = content.flatMap({ CurvePublicKey(bytes: Array($0.prefix(32))) }),
      let transient = content.flatMap({ CurveSecretKey(bytes: Array($0.dropFirst(32))) })
    else { throw .box(.cookie) }
    content?.wipe()
    guard let secret = CurveBox.agree(client, transient) else { throw .box(.initiate) }
    var session = CurveSession(.server, secret, sent: 0, received: hello)
    let opened = try session.open(reader.rest, "CurveZMQINITIATE", .initiate)
    guard let publicKey = CurvePublicKey(bytes: Array(opened.prefix(32))) else { throw .command }
    let vouch = CurveBox.open(
      opened[48..<128], CurveNonce("VOUCH---", random: opened[32..<48]), from: publicKey,
      to: transient)
    guard vouch == client.bytes + secretKey.publicKey.bytes else { throw .box(.vouch) }
    guard isWelcome(publicKey) else { throw .unwelcome(publicKey) }
    return Accepted(session: session, publicKey: publicKey, metadata: Array(opened[128...]))
  }

  /// The least size of an `INITIATE`: a box with a public key and a vouch, without metadata.
  private static let leastInitiate = CurveBox.overhead + 128

  private func makeSecret() -> CurveSecret {
    var bytes = random(CurveSecret.byteCount)
    return CurveSecret(wiping: &bytes)
  }
}
