import Testing

@testable import ZMTP

/// Tests of the two ends of a connection, and of one end with arbitrary input from a peer.
@Suite struct ZMTPConnectionTests {
  /// A received frame of a message.
  private struct Taken: Hashable {
    let bytes: [UInt8]
    let isLast: Bool
  }

  private static let greeting: [UInt8] =
    [0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 1] + Array("NULL".utf8)
    + [UInt8](repeating: 0, count: 48)
  private static let readyDealer: [UInt8] =
    [4, 28, 5] + Array("READY".utf8) + [11] + Array("Socket-Type".utf8) + [0, 0, 0, 6]
    + Array("DEALER".utf8)

  private func take(
    _ bytes: [UInt8], _ connection: inout ZMTPConnection, inPiecesOf size: Int = .max
  ) throws -> [Taken] {
    var taken: [Taken] = []
    var offset = 0
    while offset < bytes.count {
      let end = min(bytes.count, size == .max ? bytes.count : offset + size)
      try connection.receive(bytes.span.extracting(offset..<end)) { frame, isLast in
        taken.append(Taken(bytes: frame.indices.map { frame[$0] }, isLast: isLast))
      }
      offset = end
    }
    return taken
  }

  private func frame(_ bytes: [UInt8], isLast: Bool = true) -> [UInt8] {
    var frame: [UInt8] = []
    ZMTPFrameWriter.append(bytes.span, isLast: isLast, to: &frame)
    return frame
  }

  /// Returns a connection that a dealer has opened.
  private func opened(_ limits: ZMTPLimits = ZMTPLimits()) throws -> ZMTPConnection {
    var connection = ZMTPConnection(.router, limits: limits)
    #expect(try take(Self.greeting + Self.readyDealer, &connection).isEmpty)
    _ = connection.takeOutput()
    return connection
  }

  @Test func `the greeting and the handshake match the bytes of the standard`() throws {
    var connection = ZMTPConnection(.dealer)
    #expect(connection.takeOutput() == Self.greeting)
    #expect(connection.takeOutput().isEmpty)
    #expect(try take(Self.greeting, &connection).isEmpty)
    #expect(connection.takeOutput() == Self.readyDealer)
    #expect(connection.peer == nil)
  }

  @Test(arguments: [1, 2, 3, 7, 64, 65, 300, Int.max])
  func `two ends exchange messages, however the bytes are split`(size: Int) throws {
    var router = ZMTPConnection(.router)
    var dealer = ZMTPConnection(.dealer, identity: Array("ada".utf8))
    for _ in 0..<2 {
      _ = try take(dealer.takeOutput(), &router, inPiecesOf: size)
      _ = try take(router.takeOutput(), &dealer, inPiecesOf: size)
    }
    #expect(
      router.peer == .init(socketType: .dealer, identity: Array("ada".utf8), minorVersion: 1))
    #expect(dealer.peer?.socketType == .router)
    let sizes = [0, 1, 255, 256, 65_536]
    let frames = sizes.map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: $0) }
    let bytes = frames.flatMap { frame($0) }
    #expect(
      try take(bytes, &router, inPiecesOf: size) == frames.map { Taken(bytes: $0, isLast: true) })
    #expect(router.buffered == 0)
  }

  @Test func `a message of several frames is reported frame by frame`() throws {
    var connection = try opened()
    let taken = try take(frame([], isLast: false) + frame([7]), &connection)
    #expect(taken == [Taken(bytes: [], isLast: false), Taken(bytes: [7], isLast: true)])
  }

  @Test func `peers with version 3.0 are accepted, and older versions are refused`() throws {
    var connection = ZMTPConnection(.router)
    var greeting = Self.greeting
    greeting[11] = 0
    _ = try take(greeting + Self.readyDealer, &connection)
    #expect(connection.peer?.minorVersion == 0)
    greeting[10] = 1
    var other = ZMTPConnection(.router)
    #expect(throws: ZMTPError.version(major: 1)) { try take(greeting, &other) }
  }

  @Test func `bytes that do not start as ZMTP are refused at the first byte`() throws {
    var connection = ZMTPConnection(.router)
    #expect(throws: ZMTPError.signature) { try take(Array("G".utf8), &connection) }
    // After the error, the connection rejects all further bytes.
    #expect(throws: ZMTPError.signature) { try take(Self.greeting, &connection) }
    #expect(connection.failure == .signature)
  }

  @Test func `errors name an unsuitable mechanism and an unsuitable socket type`() throws {
    var curve = Self.greeting
    curve.replaceSubrange(12..<17, with: "CURVE".utf8)
    var connection = ZMTPConnection(.router)
    #expect(throws: ZMTPError.mechanism("CURVE")) { try take(curve, &connection) }

    var subscriber = Self.readyDealer
    subscriber.replaceSubrange(subscriber.count - 6..<subscriber.count, with: "XSUB__".utf8)
    var other = ZMTPConnection(.router)
    _ = other.takeOutput()
    #expect(throws: ZMTPError.socketType("XSUB__")) {
      try take(Self.greeting + subscriber, &other)
    }
    // The peer receives the reason for the refusal.
    let told = other.takeOutput()
    var peer = ZMTPConnection(.dealer)
    #expect(throws: ZMTPError.refused("The peer's socket has the unsuitable type XSUB__")) {
      try take(Self.greeting + told.dropFirst(Self.readyRouter), &peer)
    }
  }

  /// The size of a router's `READY`, in bytes.
  private static let readyRouter = 30

  @Test func `a second handshake is refused, and so are frames before the handshake`() throws {
    var early = ZMTPConnection(.router)
    #expect(throws: ZMTPError.outOfTurn) { try take(Self.greeting + [0, 1, 7], &early) }
    var twice = try opened()
    #expect(throws: ZMTPError.outOfTurn) { try take(Self.readyDealer, &twice) }
    var ping = ZMTPConnection(.router)
    #expect(throws: ZMTPError.outOfTurn) { try take(Self.greeting + Self.ping(1), &ping) }
  }

  private static func ping(_ context: UInt8) -> [UInt8] {
    [4, 8, 4] + Array("PING".utf8) + [0, 10, context]
  }

  @Test func `a PONG contains the context of its ping, and many pings get one PONG`() throws {
    var connection = try opened()
    #expect(!connection.hasOutput)
    _ = try take((0..<128).flatMap { Self.ping(UInt8($0)) }, &connection)
    #expect(connection.takeOutput() == [4, 6, 4] + Array("PONG".utf8) + [127])
    #expect(!connection.hasOutput)
    // An unknown command has no effect.
    _ = try take([4, 5, 4] + Array("SING".utf8), &connection)
    #expect(!connection.hasOutput)
  }

  @Test func `the commands in each read are counted, and too many commands are refused`() throws {
    var connection = try opened(ZMTPLimits(commandsPerRead: 3))
    #expect(connection.commands == 0)
    let pong: [UInt8] = [4, 5, 4] + Array("PONG".utf8)
    let three = Self.ping(1) + pong + [4, 5, 4] + Array("SING".utf8)
    // The limit does not include messages between commands. Each read starts the count again.
    for _ in 0..<10 { _ = try take(three + frame([1]), &connection) }
    #expect(connection.commands == 30)
    #expect(throws: ZMTPError.commands) { try take(three + pong, &connection) }
    #expect(connection.commands == 34)
  }

  @Test func `an oversized frame is refused before its content arrives`() throws {
    let limits = ZMTPLimits(frameBytes: 300, messageBytes: 500, messageFrames: 3, commandBytes: 64)
    var frames = try opened(limits)
    #expect(throws: ZMTPError.frameSize) {
      try take([2, 0, 0, 0, 0, 0, 0, 1, 45], &frames)
    }
    var most = try opened(limits)
    #expect(throws: ZMTPError.frameSize) {
      try take([2] + [UInt8](repeating: 255, count: 8), &most)
    }
    var commands = try opened(limits)
    #expect(throws: ZMTPError.frameSize) { try take([4, 65], &commands) }
  }

  @Test func `a message with too many frames or bytes is refused`() throws {
    let limits = ZMTPLimits(frameBytes: 300, messageBytes: 500, messageFrames: 3)
    var many = try opened(limits)
    #expect(throws: ZMTPError.messageFrames) {
      try take((0..<4).flatMap { _ in frame([], isLast: false) }, &many)
    }
    var large = try opened(limits)
    let piece = frame([UInt8](repeating: 1, count: 260), isLast: false)
    #expect(throws: ZMTPError.messageSize) { try take(piece + piece, &large) }
    // The limits apply to each message, not to the connection.
    var fine = try opened(limits)
    for _ in 0..<10 { _ = try take(frame([1], isLast: false) + frame([2]), &fine) }
  }

  @Test(arguments: [
    [0x80, 1, 0], [0x05, 1, 0], [0x04, 0], [0x04, 1, 9],
    [0x04, 6, 4, 80, 73, 78, 71, 0],  // A PING without its time to live.
  ])
  func `invalid flags and commands are refused`(bytes: [UInt8]) throws {
    var connection = try opened()
    #expect(throws: ZMTPError.self) { try take(bytes, &connection) }
  }

  @Test func `metadata may contain other properties and is not read beyond its end`() throws {
    var connection = ZMTPConnection(.router)
    let properties = [
      ZMTPProperty("X-Other", [1, 2, 3]), ZMTPProperty("socket-type", Array("REQ".utf8)),
    ]
    var bytes = Self.greeting
    ZMTPFrameWriter.append(
      flags: 4, ZMTPCommand.ready(properties.flatMap(\.bytes)).span, to: &bytes)
    _ = try take(bytes, &connection)
    #expect(connection.peer?.socketType == .req)
    var short = ZMTPConnection(.router)
    var cut = Self.readyDealer
    cut[1] -= 1
    #expect(throws: ZMTPError.command) { try take(Self.greeting + cut.dropLast(), &short) }
  }
}
