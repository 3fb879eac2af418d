import Testing

@testable import ZMTP

/// Tests of sealed frames after the handshake, from peers that follow 26/CurveZMQ and from peers
/// that violate this standard.
@Suite struct CurveMessageTests {
  private static let ping: [UInt8] = [4] + Array("PING".utf8) + [0, 10, 42]

  @Test func `a message matches the bytes of the standard`() throws {
    var ends = try CurveEnds.opened()
    let message = ends.message(Array("ring".utf8), isLast: false)
    #expect(message == [0, UInt8(CurveGolden.messageOfClient.count)] + CurveGolden.messageOfClient)
    try ends.give(message)
    #expect(ends.atServer == [Array("ring".utf8)])
    var answer: [UInt8] = []
    ends.server.append(Span(), to: &answer)
    #expect(answer == [0, UInt8(CurveGolden.messageOfServer.count)] + CurveGolden.messageOfServer)
    try ends.answer(answer)
    #expect(ends.atClient == [[]])
  }

  @Test func `a message in a command frame is accepted`() throws {
    var ends = try CurveEnds.opened()
    var message = ends.message([7])
    message[0] = ZMTPFrameWriter.command
    try ends.give(message)
    var long = ends.message([UInt8](repeating: 8, count: 2_000))
    long[0] = ZMTPFrameWriter.command | ZMTPFrameWriter.long
    try ends.give(long)
    #expect(ends.atServer == [[7], [UInt8](repeating: 8, count: 2_000)])
  }

  @Test func `the encrypted flag of a frame determines whether more frames follow`() throws {
    var ends = try CurveEnds.opened(ZMTPLimits(messageFrames: 2))
    for _ in 0..<3 {
      var last = ends.message([9])
      last[0] = ZMTPFrameWriter.more
      try ends.give(last)
    }
    #expect(ends.atServer == [[9], [9], [9]])
    #expect(throws: ZMTPError.messageFrames) {
      for _ in 0..<3 { try ends.give(ends.message([8], isLast: false)) }
    }
  }

  @Test func `pings and their answers are encrypted`() throws {
    var ends = try CurveEnds.opened()
    try ends.give(ends.sealed(flags: CurveSession.command, Self.ping))
    #expect(ends.server.commands == 1)
    #expect(ends.server.hasOutput)
    // A later sealed frame has a higher number, even if the test reads the output in another order.
    var message: [UInt8] = []
    ends.server.append([7].span, to: &message)
    try ends.answer(message)
    let pong = ends.server.takeOutput()
    #expect(pong[0] == 0 && !ends.server.hasOutput)
    try ends.answer(pong)
    #expect(ends.client.commands == 1)
    #expect(ends.atClient == [[7]])
  }

  @Test func `the limits apply to encrypted commands`() throws {
    var ends = try CurveEnds.opened(ZMTPLimits(commandBytes: 600, commandsPerRead: 2))
    let two = ends.sealed(flags: 2, Self.ping) + ends.sealed(flags: 2, Self.ping)
    try ends.give(two)
    let three = (0..<3).flatMap { _ in ends.sealed(flags: 2, Self.ping) }
    #expect(throws: ZMTPError.commands) { try ends.give(three) }
    ends = try CurveEnds.opened(ZMTPLimits(commandBytes: 600))
    let large = [4] + Array("SING".utf8) + [UInt8](repeating: 0, count: 596)
    #expect(throws: ZMTPError.frameSize) { try ends.give(ends.sealed(flags: 2, large)) }
  }

  @Test func `unencrypted frames are refused after the handshake`() throws {
    let commands = [Self.ping, [5] + Array("ERROR".utf8) + [0], [7] + Array("MESSAG_".utf8)]
    for command in commands {
      var ends = try CurveEnds.opened()
      #expect(throws: ZMTPError.outOfTurn) { try ends.give(CurveEnds.command(command)) }
    }
    var ends = try CurveEnds.opened()
    #expect(throws: ZMTPError.outOfTurn) { try ends.give([0, 1, 7]) }
    ends = try CurveEnds.opened()
    #expect(throws: ZMTPError.command) { try ends.give([0, 8, 7] + Array("MESSAGE".utf8)) }
  }

  @Test func `repeated or late messages are refused`() throws {
    var ends = try CurveEnds.opened()
    let (first, second, third) = (ends.message([1]), ends.message([2]), ends.message([3]))
    try ends.give(first)
    // The connection does not mistake a lost frame for a replayed frame.
    try ends.give(third)
    var again = ends
    #expect(throws: ZMTPError.nonce) { try again.give(third) }
    #expect(throws: ZMTPError.nonce) { try ends.give(second) }
    #expect(ends.atServer == [[1], [3]])
    // After the error, the connection rejects all further messages.
    #expect(throws: ZMTPError.nonce) { try ends.give(ends.message([4])) }
  }

  @Test func `a change of any byte of a message is detected`() throws {
    let opened = try CurveEnds.opened()
    var sender = opened
    let message = sender.message(Array("ring".utf8))
    for index in message.indices.dropFirst(2) {
      var ends = opened
      var changed = message
      changed[index] ^= 1
      #expect(throws: ZMTPError.self) { try ends.give(changed) }
      #expect(ends.atServer.isEmpty)
    }
    var ends = opened
    var last = message
    last[last.count - 1] ^= 1
    #expect(throws: ZMTPError.box(.message)) { try ends.give(last) }
  }

  @Test func `a message cannot be decrypted by its sender or in another connection`() throws {
    var ends = try CurveEnds.opened()
    _ = ends.message([1])
    let message = ends.message([2])
    #expect(throws: ZMTPError.box(.message)) { try ends.answer(message) }
    var other = try CurveEnds.opened()
    other.client = ends.client
    other.server = CurveEnds.makeServer(from: 0x31)
    let client = ZMTPConnection(
      .dealer,
      security: .curveClient(
        serverKey: CurveEnds.serverKey.publicKey, secretKey: CurveEnds.clientKey))
    other.client = client
    try other.exchange()
    #expect(throws: ZMTPError.box(.message)) { try other.give(message) }
  }

  @Test(arguments: [3, 4, 0x80] as [UInt8])
  func `unknown encrypted flags are refused`(flags: UInt8) throws {
    var ends = try CurveEnds.opened()
    #expect(throws: ZMTPError.flags(flags)) { try ends.give(ends.sealed(flags: flags, [1])) }
  }

  @Test func `limits apply to the decrypted frames`() throws {
    let limits = ZMTPLimits(frameBytes: 700, messageBytes: 1_000, messageFrames: 3)
    var ends = try CurveEnds.opened(limits)
    let most = [UInt8](repeating: 1, count: 700)
    try ends.give(ends.message(most))
    // The connection reads the frame's header and refuses the frame, because no frame and no
    // command may be that large.
    var large = ends
    #expect(throws: ZMTPError.frameSize) {
      try large.give(Array(large.message([UInt8](repeating: 1, count: 1_025)).prefix(9)))
    }
    large = ends
    #expect(throws: ZMTPError.frameSize) { try large.give(large.message(most + [1])) }
    large = ends
    let two = large.message(most, isLast: false) + large.message(most)
    #expect(throws: ZMTPError.messageSize) { try large.give(two) }
    let four = (0..<4).flatMap { _ in ends.message([], isLast: false) }
    #expect(throws: ZMTPError.messageFrames) { try ends.give(four) }
  }

  @Test func `a copy of a connection uses different nonces`() throws {
    var ends = try CurveEnds.opened()
    var copy = ends.client
    let first = ends.message([1])
    var second: [UInt8] = []
    copy.append([1].span, to: &second)
    #expect(first != second)
    try ends.give(first + second)
    #expect(ends.atServer == [[1], [1]])
  }

  @Test func `encryption before the handshake stops the process`() async {
    await #expect(processExitsWith: .failure) {
      var server = CurveEnds.makeServer()
      var bytes: [UInt8] = []
      server.append([1].span, to: &bytes)
    }
  }
}
