import Testing

@testable import ZMTP

/// Tests of the handshake of 26/CurveZMQ, with a peer that follows the standard and with a peer
/// that violates the standard.
@Suite struct CurveHandshakeTests {
  @Test func `the handshake matches the bytes of the standard`() throws {
    var ends = CurveEnds()
    #expect(ends.client.takeOutput() == CurveEnds.clientGreeting)
    #expect(ends.server.takeOutput() == CurveEnds.serverGreeting)
    try ends.answer(CurveEnds.serverGreeting)
    try ends.give(CurveEnds.clientGreeting)
    #expect(!ends.server.hasOutput)
    #expect(ends.client.takeOutput() == CurveEnds.command(CurveGolden.hello))
    try ends.give(CurveEnds.command(CurveGolden.hello))
    #expect(ends.server.takeOutput() == CurveEnds.command(CurveGolden.welcome))
    try ends.answer(CurveEnds.command(CurveGolden.welcome))
    #expect(ends.client.takeOutput() == CurveEnds.command(CurveGolden.initiate))
    #expect(ends.server.peer == nil)
    try ends.give(CurveEnds.command(CurveGolden.initiate))
    #expect(ends.server.takeOutput() == CurveEnds.command(CurveGolden.ready))
    #expect(ends.client.peer == nil)
    try ends.answer(CurveEnds.command(CurveGolden.ready))
    #expect(!ends.client.hasOutput)

    #expect(ends.server.peer?.socketType == .dealer)
    #expect(ends.server.peer?.publicKey == CurveEnds.clientKey.publicKey)
    #expect(ends.client.peer?.socketType == .router)
    #expect(ends.client.peer?.publicKey == CurveEnds.serverKey.publicKey)
  }

  @Test(arguments: [1, 2, 7, 64, 65, 300, Int.max])
  func `two ends exchange messages, however the bytes are split`(size: Int) throws {
    var ends = CurveEnds()
    try ends.exchange(inPiecesOf: size)
    let bodies = [0, 1, 222, 223, 255, 256, 65_536].map { [UInt8](repeating: 7, count: $0) }
    for body in bodies { try ends.give(ends.message(body), inPiecesOf: size) }
    #expect(ends.atServer == bodies)
    #expect(ends.server.buffered == 0)
  }

  @Test func `only connections without CURVE can send one packed frame to several peers`() {
    let ends = CurveEnds()
    #expect(!ends.client.sharesFrames && !ends.server.sharesFrames)
    var plain = ZMTPConnection(.router)
    #expect(plain.sharesFrames)
    var (own, shared): ([UInt8], [UInt8]) = ([], [])
    plain.append([1, 2].span, isLast: false, to: &own)
    ZMTPFrameWriter.append([1, 2].span, isLast: false, to: &shared)
    #expect(own == shared)
  }

  @Test func `a handshake fails if only one end uses CURVE`() throws {
    var server = CurveEnds.makeServer()
    var plain = ZMTPConnection(.dealer)
    let (greeting, answer) = (plain.takeOutput(), server.takeOutput())
    #expect(throws: ZMTPError.mechanism("NULL")) {
      try server.receive(greeting.span) { _, _ in }
    }
    #expect(throws: ZMTPError.mechanism("CURVE")) {
      try plain.receive(answer.span) { _, _ in }
    }
  }

  @Test func `a client with a wrong server key is refused`() throws {
    var ends = CurveEnds()
    ends.client = ZMTPConnection(
      .dealer,
      security: .curveClient(
        serverKey: CurveSecretKey().publicKey, secretKey: CurveEnds.clientKey))
    #expect(throws: ZMTPError.box(.hello)) { try ends.exchange() }
    #expect(!ends.server.hasOutput)
  }

  @Test func `a client with a disallowed key is refused and receives an error`() throws {
    var ends = CurveEnds { $0 != CurveEnds.clientKey.publicKey }
    #expect(throws: ZMTPError.unwelcome(CurveEnds.clientKey.publicKey)) { try ends.exchange() }
    #expect(ends.server.peer == nil)
    let told = ends.server.takeOutput()
    #expect(told == CurveEnds.command([5] + Array("ERROR".utf8) + [3] + Array("400".utf8)))
    #expect(throws: ZMTPError.refused("400")) { try ends.answer(told) }
  }

  @Test func `a peer with an unsuitable socket type is refused and receives an error`() throws {
    var ends = CurveEnds(clientType: .sub)
    #expect(throws: ZMTPError.socketType("SUB")) { try ends.exchange() }
    let told = ends.server.takeOutput()
    #expect(throws: ZMTPError.refused("The peer's socket has the unsuitable type SUB")) {
      try ends.answer(told)
    }
    #expect(!ends.client.hasOutput)
  }

  // MARK: Commands that are sent again

  @Test func `the server accepts each handshake command once and in order`() throws {
    let (hello, initiate) = (CurveGolden.hello, CurveGolden.initiate)
    for commands in [
      [hello, hello], [initiate], [hello, initiate, initiate], [hello, initiate, hello],
      [CurveGolden.ready], [hello, CurveGolden.ready], [hello, CurveGolden.messageOfClient],
      [[4] + Array("PING".utf8) + [0, 0]], [[5] + Array("ERROR".utf8) + [0]],
    ] {
      var ends = CurveEnds()
      try ends.give(CurveEnds.clientGreeting)
      for command in commands.dropLast() { try ends.give(CurveEnds.command(command)) }
      #expect(throws: ZMTPError.outOfTurn) {
        try ends.give(CurveEnds.command(commands[commands.count - 1]))
      }
    }
  }

  @Test func `a recorded handshake does not open another connection`() throws {
    var server = CurveEnds.makeServer(from: 0x21)
    var recorded = CurveEnds.clientGreeting + CurveEnds.command(CurveGolden.hello)
    try server.receive(recorded.span) { _, _ in }
    // An attacker may repeat a HELLO, because a HELLO does not identify its sender.
    #expect(server.hasOutput)
    recorded = CurveEnds.command(CurveGolden.initiate)
    #expect(throws: ZMTPError.box(.cookie)) { try server.receive(recorded.span) { _, _ in } }
  }

  @Test func `the client accepts each handshake command once and in order`() throws {
    for commands in [
      [CurveGolden.ready], [CurveGolden.welcome, CurveGolden.welcome],
      [CurveGolden.welcome, CurveGolden.ready, CurveGolden.ready], [CurveGolden.hello],
    ] {
      var ends = CurveEnds()
      try ends.answer(CurveEnds.serverGreeting)
      for command in commands.dropLast() { try ends.answer(CurveEnds.command(command)) }
      #expect(throws: ZMTPError.outOfTurn) {
        try ends.answer(CurveEnds.command(commands[commands.count - 1]))
      }
    }
  }

  // MARK: Commands that were changed

  @Test func `a change of any byte of a command is detected`() throws {
    for index in CurveGolden.hello.indices {
      var ends = CurveEnds()
      #expect(throws: ZMTPError.self) {
        try ends.give(CurveEnds.clientGreeting + changed(CurveGolden.hello, at: index))
      }
    }
    for index in CurveGolden.initiate.indices {
      var ends = CurveEnds()
      try ends.give(CurveEnds.clientGreeting + CurveEnds.command(CurveGolden.hello))
      #expect(throws: ZMTPError.self) { try ends.give(changed(CurveGolden.initiate, at: index)) }
    }
    for index in CurveGolden.welcome.indices {
      var ends = CurveEnds()
      #expect(throws: ZMTPError.self) {
        try ends.answer(CurveEnds.serverGreeting + changed(CurveGolden.welcome, at: index))
      }
    }
  }

  private func changed(_ command: [UInt8], at index: Int) -> [UInt8] {
    var command = command
    // The test does not flip the highest bit, because this bit has no meaning in a key.
    command[index] ^= 1
    return CurveEnds.command(command)
  }

  @Test(arguments: [
    (CurveGolden.hello.count - 1, ZMTPError.box(.hello)), (7, .command), (8, .command),
    (112, .box(.hello)), (80, .box(.hello)),
  ])
  func `the error names the fault of a HELLO`(index: Int, error: ZMTPError) throws {
    var ends = CurveEnds()
    #expect(throws: error) {
      try ends.give(CurveEnds.clientGreeting + changed(CurveGolden.hello, at: index))
    }
  }

  @Test(arguments: [
    (9, ZMTPError.box(.cookie)), (104, .box(.cookie)), (113, .box(.initiate)),
  ])
  func `the error names the fault of an INITIATE`(index: Int, error: ZMTPError) throws {
    var ends = CurveEnds()
    try ends.give(CurveEnds.clientGreeting + CurveEnds.command(CurveGolden.hello))
    #expect(throws: error) { try ends.give(changed(CurveGolden.initiate, at: index)) }
  }

  @Test func `commands that are too short or too long are refused`() throws {
    for hello in [CurveGolden.hello.dropLast(), CurveGolden.hello + [0], [5] + "HELLO".utf8] {
      var ends = CurveEnds()
      #expect(throws: ZMTPError.command) {
        try ends.give(CurveEnds.clientGreeting + CurveEnds.command(Array(hello)))
      }
    }
    for count in [9, 104, 112, 256] {
      var ends = CurveEnds()
      try ends.give(CurveEnds.clientGreeting + CurveEnds.command(CurveGolden.hello))
      #expect(throws: ZMTPError.command) {
        try ends.give(CurveEnds.command(Array(CurveGolden.initiate.prefix(count))))
      }
    }
  }

  // MARK: Clients that encrypt correctly

  /// Returns an `INITIATE` that no honest client would send.
  private func initiate(
    publicKey: CurvePublicKey = CurveEnds.clientKey.publicKey,
    vouchedBy key: CurveSecretKey = CurveEnds.clientKey, for subject: CurvePublicKey? = nil,
    metadata: [UInt8] = [], sent: UInt64 = 1
  ) throws -> [UInt8] {
    // The test knows the random numbers of both sides: see CurveGolden.
    let (transient, server) = (CurveEnds.secretKey(1), CurveEnds.secretKey(0x12).publicKey)
    let vouch = try #require(
      CurveBox.seal(
        (subject ?? transient.publicKey).bytes + CurveEnds.serverKey.publicKey.bytes,
        CurveNonce("VOUCH---", random: [UInt8](repeating: 2, count: 16)[...]), from: key,
        to: server))
    let secret = try #require(CurveBox.agree(server, transient))
    let session = CurveSession(.client, secret, sent: sent, received: nil)
    let sealed = session.seal(
      publicKey.bytes + [UInt8](repeating: 2, count: 16) + vouch + metadata, "CurveZMQINITIATE")
    return Array(CurveGolden.initiate.prefix(105)) + sealed
  }

  private func expect(_ error: ZMTPError, of initiate: [UInt8]) throws {
    var ends = CurveEnds()
    try ends.give(CurveEnds.clientGreeting + CurveEnds.command(CurveGolden.hello))
    #expect(throws: error) { try ends.give(CurveEnds.command(initiate)) }
    #expect(ends.server.peer == nil)
  }

  @Test func `a client with another client's key is refused`() throws {
    let other = CurveSecretKey()
    try expect(.box(.vouch), of: initiate(publicKey: other.publicKey))
    try expect(.box(.vouch), of: initiate(vouchedBy: other))
    // This vouch belongs to another connection of the same client.
    try expect(.box(.vouch), of: initiate(for: other.publicKey))
  }

  @Test func `an INITIATE whose nonce is not above the nonce of HELLO is refused`() throws {
    try expect(.nonce, of: initiate(sent: 0))
  }

  @Test func `unreadable metadata is refused`() throws {
    try expect(.command, of: initiate(metadata: [11, 1]))
    try expect(.socketType(""), of: initiate())
  }

  @Test func `a public key of zeros is refused`() throws {
    var hello = CurveGolden.hello
    hello.replaceSubrange(80..<112, with: [UInt8](repeating: 0, count: 32))
    var ends = CurveEnds()
    #expect(throws: ZMTPError.box(.hello)) {
      try ends.give(CurveEnds.clientGreeting + CurveEnds.command(hello))
    }
    let zeros = try #require(CurvePublicKey(bytes: [UInt8](repeating: 0, count: 32)))
    ends.client = ZMTPConnection(
      .dealer, security: .curveClient(serverKey: zeros, secretKey: CurveEnds.clientKey))
    #expect(throws: ZMTPError.box(.hello)) { try ends.answer(CurveEnds.serverGreeting) }
  }
}
