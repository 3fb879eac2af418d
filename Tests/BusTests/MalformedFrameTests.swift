import TestSupport
import Bus
import MeetingModel
import Testing
import Wire
import ZeroMQ

/// Tests of malformed frames from unknown peers. The server refuses and counts such frames. Such
/// frames affect no other peer.
@Suite(.timeLimit(.minutes(5)))
struct MalformedFrameTests {
  private typealias Message = TestMethods.Message

  @Test(
    arguments: [
      ("no bytes", []),
      ("a length that does not end", [0x80, 0x80, 0x80, 0x80, 0x80]),
      ("a length beyond the frame", [0x05, 0x08, 0x01]),
      ("a header that is none", [0x02, 0x0f, 0x00]),
      ("a header of 4097 bytes", [0x81, 0x20] + [UInt8](repeating: 0, count: 4097)),
      ("text that is not UTF-8", [0x08, 0x08, 0x01, 0x10, 0x01, 0x18, 0x01, 0x42, 0xff]),
    ] as [(String, [UInt8])])
  func `a frame without a header is answered under call id 0`(
    what: String, bytes: [UInt8]
  ) async throws {
    try await withTestBus { bus in
      let (server, tally) = try Self.echoServer(bus)
      let peer = try bus.dealer()
      await peer.connected()
      try peer.send(MessageFrame(bytes))
      let reply = try await peer.reply()
      #expect(reply.header.callID == 0)
      #expect(reply.header.kind == .reply)
      #expect(reply.header.status?.code == .invalidArgument)
      #expect(reply.header.status?.reason == .malformed)
      #expect(tally.rejected == [.malformed: 1])
      withExtendedLifetime(server) {}
    }
  }

  @Test func `a header may have at most 4096 bytes`() async throws {
    try await withTestBus { bus in
      let (server, tally) = try Self.echoServer(bus)
      let peer = try bus.dealer()
      await peer.connected()
      var header = V1.RequestHeader.call(1)
      header.traceparent = String(repeating: "x", count: 4096 - header.packedCount - 3)
      #expect(header.packedCount == 4096)
      try peer.send(MessageFrame(header))
      #expect(try await peer.reply().header.status == nil)
      header.traceparent += "x"
      try peer.send(MessageFrame(header))
      #expect(try await peer.reply().header.status?.reason == .malformed)
      #expect(tally.rejected == [.malformed: 1])
      withExtendedLifetime(server) {}
    }
  }

  @Test func `a request with a malformed body is answered under its own id`() async throws {
    try await withTestBus { bus in
      let (server, tally) = try Self.echoServer(bus)
      let peer = try bus.dealer()
      await peer.connected()
      for (callID, method, kind) in [
        (3, TestMethods.echo.key, .reply), (4, TestMethods.count.key, .end),
      ] as [(UInt64, UInt32, V1.ReplyKind)] {
        let header = V1.RequestHeader.call(callID, method)
        try peer.send(MessageFrame(WireFrame.pack(header: header, packedBody: [0x0a, 0x02, 0x41])))
        let reply = try await peer.reply().header
        #expect(reply.callID == callID)
        #expect(reply.kind == kind)
        #expect(reply.status?.reason == .malformed)
      }
      #expect(tally.rejected == [.malformed: 2])
      withExtendedLifetime(server) {}
    }
  }

  @Test func `requests with call id 0, a call id in use or an unknown kind are refused`()
    async throws
  {
    try await withTestBus { bus in
      let (server, tally) = try Self.echoServer(bus)
      var open: [Call<Message>] = []
      server.on(TestMethods.hold) { _, call in open.append(call) }
      let peer = try bus.dealer()
      await peer.connected()
      try peer.send(MessageFrame(.call(0)))
      #expect(try await peer.reply().header.status?.reason == .malformed)
      try peer.send(MessageFrame(.call(1, TestMethods.hold.key)))
      try peer.send(MessageFrame(.call(1)))
      #expect(try await peer.reply().header.status?.reason == .malformed)
      for kind in [V1.RequestKind.unspecified, .unrecognized(9)] {
        var header = V1.RequestHeader.call(2)
        header.kind = kind
        try peer.send(MessageFrame(header))
        #expect(try await peer.reply().header.status?.reason == .malformed)
      }
      #expect(open.count == 1)
      #expect(tally.rejected == [.malformed: 4])
    }
  }

  @Test func `a message of sixteen parts is refused, and a message of fifteen parts is accepted`()
    async throws
  {
    try await withTestBus { bus in
      let (server, tally) = try Self.echoServer(bus)
      let peer = try bus.dealer()
      await peer.connected()
      let raw = MessageFrame([1, 2, 3])
      for parts in [16, 17, 40] {
        try peer.send([MessageFrame(.call(1))] + [MessageFrame](repeating: raw, count: parts - 1))
        let reply = try await peer.reply().header
        #expect(reply.callID == 0)
        #expect(reply.status?.reason == .malformed)
      }
      try peer.send([MessageFrame(.call(1))] + [MessageFrame](repeating: raw, count: 14))
      #expect(try await peer.reply().header.status == nil)
      #expect(tally.rejected == [.malformed: 3])
      withExtendedLifetime(server) {}
    }
  }

  @Test func `an oversized frame ends only its sender's connection`() async throws {
    try await withTestBus { bus in
      let (server, tally) = try Self.echoServer(bus, options: .clientFacing)
      server.on(TestMethods.hold) { _, _ in }
      let channel = try bus.channel()
      let ends = Inbox<Status?>()
      channel.call(TestMethods.hold, Message(), .patient) { ends.put($0.failure) }
      let peer = try bus.dealer()
      await peer.connected()
      try peer.send(MessageFrame([UInt8](repeating: 0, count: 65_537)))
      await peer.disconnected()
      #expect(try await channel.call(TestMethods.echo, Message(epoch: 1), .patient).epoch == 1)
      #expect(channel.isConnected)
      #expect(ends.count == 0)
      #expect(tally.rejectedCount == 0)
      // The peer may connect again and send valid requests.
      await peer.connected()
      try peer.send(MessageFrame(.call(1)))
      #expect(try await peer.reply().header.status == nil)
    }
  }

  @Test func `bytes that are costly to parse are refused on client-facing sockets`() async throws {
    try await withTestBus { bus in
      let (server, tally) = try Self.echoServer(bus, options: .clientFacing)
      let peer = try bus.dealer()
      await peer.connected()
      // The body has thirty thousand empty positions.
      let body = [UInt8](repeating: 0, count: 30_000).flatMap { _ in [0x12, 0x00] as [UInt8] }
      server.on(V1.AudioVideoFacadeMethods.keepAlive) { _, call in call.reply(.init()) }
      let header = V1.RequestHeader.call(1, V1.AudioVideoFacadeMethods.keepAlive.key)
      try peer.send(MessageFrame(WireFrame.pack(header: header, packedBody: body)))
      #expect(try await peer.reply().header.status?.reason == .malformed)
      #expect(tally.rejected == [.malformed: 1])
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `each of thousands of damaged frames is answered and counted once`(
    seed: UInt64
  ) async throws {
    try await withTestBus { bus in
      let (server, tally) = try Self.echoServer(bus)
      let channel = try bus.channel()
      let peer = try bus.dealer()
      await peer.connected()
      var damage = Damage(seed: seed)
      var answered = 0
      var undisturbed: UInt64 = 0
      for round in 1...20 as ClosedRange<UInt64> {
        let frames = (0..<100).map { _ in damage.frame() }
        for frame in frames { try peer.send(MessageFrame(frame)) }
        // This call ends the round. When the server answers the call, the server has handled all
        // earlier frames.
        try peer.send(MessageFrame(.call(.max - round)))
        while try await peer.reply().header.callID != .max - round { answered += 1 }
        let reply = try await channel.call(TestMethods.echo, Message(epoch: round), .patient)
        undisturbed += reply.epoch
      }
      #expect(undisturbed == 210)
      let others = 20 + 20
      #expect(answered == 2000 - damage.cancels)
      #expect(tally.rejectedCount + tally.finishedCount - others == answered)
      #expect(tally.rejectedCount > 500)
      #expect(tally.undeliverable == 0)
      withExtendedLifetime(server) {}
    }
  }

  private static func echoServer(
    _ bus: TestBus, options: RequestServerLimits = RequestServerLimits()
  ) throws -> (RequestServer, Tally) {
    let server = try bus.server(options: options)
    let tally = Tally()
    server.observer = tally
    server.on(TestMethods.echo) { request, call in call.reply(request) }
    server.on(TestMethods.count) { _, stream in stream.end() }
    bus.cleanUp { withExtendedLifetime(tally) {} }
    return (server, tally)
  }
}

/// Makes request frames, and damages most of these frames.
private struct Damage {
  /// The number of valid CANCELs so far. Only a CANCEL gets no answer.
  private(set) var cancels = 0
  private var generator: SeededGenerator
  private var last: [UInt8] = []

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func frame() -> [UInt8] {
    var bytes = good()
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: break
    case 1: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
    case 2: bytes += (0..<Int.random(in: 1...2000, using: &generator)).map { _ in byte() }
    case 3: bytes = (0..<Int.random(in: 0...64, using: &generator)).map { _ in byte() }
    case 4: bytes = last
    default:
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = byte()
      }
    }
    if isCancel(bytes) { cancels += 1 }
    last = bytes
    return bytes
  }

  private mutating func good() -> [UInt8] {
    let method = [TestMethods.echo.key, TestMethods.count.key, 99].randomElement(using: &generator)
    var header = V1.RequestHeader.call(.random(in: 0...1000, using: &generator), method ?? 0)
    if Int.random(in: 0..<10, using: &generator) == 0 { header.kind = .cancel }
    header.version = Int.random(in: 0..<10, using: &generator) == 0 ? 2 : 1
    header.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736"
    let body = TestMethods.Message(meetingID: "m", epoch: 1, lastSequence: 2)
    return WireFrame.pack(header: header, body: body)
  }

  private mutating func byte() -> UInt8 { .random(in: 0...255, using: &generator) }

  private func isCancel(_ bytes: [UInt8]) -> Bool {
    guard let parts = try? WireFrame.split(bytes.span.bytes),
      let header = try? V1.RequestHeader(packed: Array(bytes[parts.header]))
    else { return false }
    return header.version == 1 && header.kind == .cancel
  }
}
