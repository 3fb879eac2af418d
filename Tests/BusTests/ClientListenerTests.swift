import TestSupport
import Testing
import Wire
import ZeroMQ

@testable import Bus

/// Tests of peers that break the rules or reach the limits. No such peer disturbs another peer.
@Suite(.timeLimit(.minutes(5)))
struct ClientListenerTests {
  /// A listener that sends messages back, and records the events of its connections.
  private final class Echo {
    let listener: ClientListener
    let endpoint: Endpoint
    private(set) var changes: [ConnectionEvent] = []
    private(set) var closed = 0
    var answersAs: (Span<UInt8>) -> [UInt8] = { Array(copying: $0) }

    init(_ bus: TestBus, _ options: ListenerLimits = .requests, tcp: Bool = false) throws {
      let place = try tcp ? Endpoint.tcp(host: "127.0.0.1", port: 0) : bus.endpoint()
      listener = try ClientListener(at: [place], on: bus.thread, options: options)
      endpoint = listener.endpoints[0]
      listener.onChange = { [unowned self] in changes.append($0) }
      listener.onClose = { [unowned self] _ in closed += 1 }
      listener.onFrame = { [unowned self] connection, frame in
        listener.wasUsed(connection)
        _ = listener.send(ZMTPFramedMessage(answersAs(frame).span), to: connection)
      }
      bus.cleanUp { [self] in listener.close() }
    }

    /// Makes the listener check its connections as if a second had passed.
    func looksInASecond() { listener.sweepConnections(at: listener.thread.now + .seconds(1)) }

    /// Waits until the listener has reported an event at least `times` times.
    func waits(for event: ConnectionEvent, times: Int = 1) async throws {
      try await eventually("\(times) times \(event)", every: .milliseconds(2)) {
        changes.count(where: { $0 == event }) >= times
      }
    }
  }

  private static var quick: ListenerLimits {
    var options = ListenerLimits.requests
    options.handshakeTimeout = .milliseconds(200)
    return options
  }

  // MARK: Good peers

  @Test(arguments: [false, true])
  func `the listener answers a dealer socket of libzmq`(tcp: Bool) async throws {
    try await withTestBus { bus in
      let echo = try Echo(bus, tcp: tcp)
      let peer = try RawPeer(.dealer, in: bus.context, on: bus.thread)
      defer { peer.close() }
      try peer.connect(to: echo.endpoint)
      await peer.connected()
      for size in [0, 1, 255, 256, 65_536] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        try peer.send(MessageFrame(bytes))
        #expect(await peer.messages.next().map(\.bytes) == [bytes])
      }
    }
  }

  @Test func `messages to a slow reader arrive in order and complete`()
    async throws
  {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      let peer = try await PlainSocket.shakingHands(with: echo.endpoint)
      let connection = try #require(echo.listener.connections.values.first)
      let messages = (0..<2_000).map { number in
        ZMTPFramedMessage([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1_000).span)
      }
      for message in messages { #expect(echo.listener.send(message, to: connection) == .sent) }
      let bytes = messages.flatMap(\.bytes)
      #expect(try await peer.receive(bytes.count, within: .seconds(60)) == bytes)
      #expect(connection.unsent == 0)
    }
  }

  @Test func `the listener detects a disconnect without sending anything`() async throws {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      var peer: PlainSocket? = try await .shakingHands(with: echo.endpoint)
      #expect(echo.listener.count == 1)
      withExtendedLifetime(peer) {}
      peer = nil
      try await echo.waits(for: .ended)
      #expect(echo.closed == 1)
      #expect(echo.listener.count == 0)
    }
  }

  @Test func `a peer that the listener disconnects still receives earlier messages`() async throws {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      let peer = try await PlainSocket.shakingHands(with: echo.endpoint)
      let connection = try #require(echo.listener.connections.values.first)
      _ = echo.listener.send(ZMTPFramedMessage([1, 2, 3].span), to: connection)
      echo.listener.hangUp(connection)
      #expect(echo.listener.send(ZMTPFramedMessage([4].span), to: connection) == .unroutable)
      #expect(try await peer.receive(5, within: .seconds(30)) == [0, 3, 1, 2, 3])
      #expect(!peer.isClosed)
      echo.looksInASecond()
      #expect(try await peer.receive(100, within: .seconds(30)).isEmpty)
      #expect(peer.isClosed)
      #expect(echo.changes.last == .dismissed)
    }
  }

  @Test func `a peer that sends data during its disconnection still reads all earlier messages`()
    async throws
  {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      let peer = try await PlainSocket.shakingHands(with: echo.endpoint)
      let connection = try #require(echo.listener.connections.values.first)
      // The listener has not read these bytes yet, because the listener's turn starts only when
      // this test waits.
      #expect(peer.send([0, 1, 7]) == 3)
      _ = echo.listener.send(ZMTPFramedMessage([1, 2, 3].span), to: connection)
      echo.listener.hangUp(connection)
      echo.listener.bury()
      #expect(peer.send([0, 1, 8]) == 3)
      #expect(try await peer.receive(5, within: .seconds(30)) == [0, 3, 1, 2, 3])
      echo.looksInASecond()
      #expect(try await peer.receive(100, within: .seconds(30)).isEmpty)
      #expect(peer.isClosed)
    }
  }

  @Test func `the listener closes the connection of a peer that ignores a DISCONNECT`()
    async throws
  {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      let peer = try await PlainSocket.shakingHands(with: echo.endpoint)
      echo.listener.hangUp(try #require(echo.listener.connections.values.first))
      echo.listener.bury()
      #expect(echo.listener.leaving.count == 1)
      echo.looksInASecond()
      #expect(echo.listener.leaving.isEmpty)
      #expect(peer.send([0, 1, 7]) <= 0)
    }
  }

  // MARK: Too many

  @Test func `a connection over the limit waits until another connection ends`() async throws {
    try await withTestBus { bus in
      var options = ListenerLimits.requests
      options.connections = 2
      let echo = try Echo(bus, options)
      var peers = [
        try await PlainSocket.shakingHands(with: echo.endpoint),
        try await PlainSocket.shakingHands(with: echo.endpoint),
      ]
      let third = try PlainSocket(to: echo.endpoint)
      third.send(PlainSocket.greeting + PlainSocket.ready)
      try await echo.waits(for: .acceptPaused)
      #expect(third.receive().isEmpty)
      peers[1].send([0, 1, 7])
      #expect(try await peers[1].receive(3, within: .seconds(30)) == [0, 1, 7])
      peers.removeFirst()
      #expect(
        try await third.receive(PlainSocket.answer, within: .seconds(30)).count
          == PlainSocket.answer)
    }
  }

  @Test func `silent connections are closed to make room for new connections`() async throws {
    try await withTestBus { bus in
      var options = ListenerLimits.requests
      options.handshakes = 4
      options.handshakeTimeout = .seconds(60)
      let echo = try Echo(bus, options)
      var silent: [PlainSocket] = []
      for _ in 1...12 { silent.append(try PlainSocket(to: echo.endpoint)) }
      let peer = try PlainSocket(to: echo.endpoint)
      peer.send(PlainSocket.greeting + PlainSocket.ready + [0, 1, 7])
      for round in 1...3 {
        try await echo.waits(for: .accepted, times: 4 * round)
        echo.looksInASecond()
      }
      let answer = try await peer.receive(PlainSocket.answer + 3, within: .seconds(30))
      #expect(answer.suffix(3) == [0, 1, 7])
      #expect(echo.changes.count { $0 == .crowdedOut } >= 8)
      #expect(echo.listener.count <= 5)
    }
  }

  @Test func `a peer that does not finish its handshake in time is disconnected`() async throws {
    try await withTestBus { bus in
      let echo = try Echo(bus, Self.quick)
      let silent = try PlainSocket(to: echo.endpoint)
      let half = try PlainSocket(to: echo.endpoint)
      half.send(PlainSocket.greeting)
      let good = try await PlainSocket.shakingHands(with: echo.endpoint)
      echo.looksInASecond()
      #expect(try await silent.awaitEnd(within: .seconds(30)))
      #expect(try await half.awaitEnd(within: .seconds(30)))
      #expect(echo.changes.count { $0 == .handshakeFailed } == 2)
      good.send([0, 0])
      #expect(try await good.receive(2, within: .seconds(30)) == [0, 0])
    }
  }

  @Test func `a peer that is idle for too long is disconnected`() async throws {
    try await withTestBus { bus in
      var options = ListenerLimits.requests
      options.idleLimit = .milliseconds(100)
      let echo = try Echo(bus, options)
      let peer = try await PlainSocket.shakingHands(with: echo.endpoint)
      let exempt = try await PlainSocket.shakingHands(with: echo.endpoint)
      let newest = try #require(echo.listener.connections.values.max { $0.number < $1.number })
      echo.listener.exempt(newest)
      echo.looksInASecond()
      #expect(try await peer.awaitEnd(within: .seconds(30)))
      #expect(echo.changes.last == .idle)
      exempt.send([0, 0])
      #expect(try await exempt.receive(2, within: .seconds(30)) == [0, 0])
    }
  }

  // MARK: Broken rules

  @Test(
    arguments: [
      ("HTTP", Array("GET / HTTP/1.1\r\n\r\n".utf8), .handshakeFailed),
      ("a message too early", PlainSocket.greeting + [0, 1, 7], .handshakeFailed),
      (
        "a second frame", PlainSocket.greeting + PlainSocket.ready + [1, 1, 7, 0, 0],
        .protocolViolated
      ),
      (
        "a frame that is too large",
        PlainSocket.greeting + PlainSocket.ready + [2, 0, 0, 0, 0, 0, 1, 0, 1], .protocolViolated
      ),
      (
        "a frame of 2^63 bytes",
        PlainSocket.greeting + PlainSocket.ready + [2, 0x80, 0, 0, 0, 0, 0, 0, 0], .protocolViolated
      ),
    ] as [(String, [UInt8], ConnectionEvent)])
  func `a peer that breaks the protocol is disconnected`(
    what: String, bytes: [UInt8], cause: ConnectionEvent
  ) async throws {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      let good = try await PlainSocket.shakingHands(with: echo.endpoint)
      let peer = try PlainSocket(to: echo.endpoint)
      peer.send(bytes)
      try await echo.waits(for: cause)
      echo.looksInASecond()
      #expect(try await peer.awaitEnd(within: .seconds(30)))
      #expect(echo.changes == [.accepted, .accepted, cause])
      good.send([0, 0])
      #expect(try await good.receive(2, within: .seconds(30)) == [0, 0])
    }
  }

  @Test func `a peer that does not finish a message in time is disconnected`() async throws {
    try await withTestBus { bus in
      let echo = try Echo(bus, Self.quick)
      let peer = try await PlainSocket.shakingHands(with: echo.endpoint)
      peer.send([0, 200])
      try await eventually("the end of the connection") {
        peer.send([1])
        return peer.isClosed
      }
      #expect(echo.changes.last == .overdue)
    }
  }

  @Test func `a peer that sends too many pings is disconnected`() async throws {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      let calm = try await PlainSocket.shakingHands(with: echo.endpoint)
      let peer = try await PlainSocket.shakingHands(with: echo.endpoint)
      try await eventually("the end of the connection", every: .milliseconds(10)) {
        peer.send(Array(repeating: PlainSocket.ping, count: 20).joined())
        _ = peer.receive()
        return peer.isClosed
      }
      #expect(echo.changes.last == .flooded)
      calm.send(PlainSocket.ping)
      #expect(try await calm.receive(7, within: .seconds(30)) == [4, 5, 4] + Array("PONG".utf8))
    }
  }

  @Test func `the listener stops reading from a peer that does not read the listener's answers`()
    async throws
  {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      echo.listener.onFrame = { [unowned echo] connection, frame in
        let bytes = Array(copying: frame)
        _ = echo.listener.send(to: connection, size: 1_000) { output in
          for index in 0..<1_000 { output.append(bytes[index % 2]) }
        }
      }
      let peer = try await PlainSocket.shakingHands(with: echo.endpoint)
      let connection = try #require(echo.listener.connections.values.first)
      // The peer sends until the listener has accepted no bytes in 50 consecutive attempts.
      var sent = 0
      var idle = 0
      while idle < 50 {
        let frame = [0, 2, UInt8(truncatingIfNeeded: sent / 4), 3] as [UInt8]
        let count = peer.send(frame[(sent % 4)...])
        sent += count
        idle = count == 0 ? idle + 1 : 0
        if count == 0 { try await Task.sleep(for: .milliseconds(2)) }
      }
      #expect(connection.isPaused)
      #expect(connection.unsent < 20 << 20)
      let whole = sent / 4
      #expect(whole < 200_000)
      for number in 0..<whole {
        let answer = try await peer.receive(1_009, within: .seconds(60))
        let expected = [2, 0, 0, 0, 0, 0, 0, 3, 0xe8, UInt8(truncatingIfNeeded: number), 3]
        guard Array(answer.prefix(11)) == expected as [UInt8] else {
          Issue.record("Answer \(number) of \(whole) is not the one.")
          return
        }
      }
      #expect(!connection.isPaused)
    }
  }

  @Test func `peers with the largest unfinished messages are disconnected first`() async throws {
    try await withTestBus { bus in
      var options = ListenerLimits.requests
      options.keptBytes = 100_000
      let echo = try Echo(bus, options)
      let good = try await PlainSocket.shakingHands(with: echo.endpoint)
      var peers: [PlainSocket] = []
      for _ in 1...5 {
        let peer = try await PlainSocket.shakingHands(with: echo.endpoint)
        peer.send([2, 0, 0, 0, 0, 0, 0, 0xff, 0xff] + [UInt8](repeating: 7, count: 40_000))
        peers.append(peer)
      }
      try await echo.waits(for: .overBudget, times: 3)
      #expect(echo.listener.kept <= options.keptBytes)
      good.send([0, 0])
      #expect(try await good.receive(2, within: .seconds(30)) == [0, 0])
      withExtendedLifetime(peers) {}
    }
  }

  @Test func `a second listener at an endpoint is refused until the first listener closes`()
    async throws
  {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      #expect(throws: ZeroMQError.self) { try Echo(bus) }
      echo.listener.close()
      let second = try Echo(bus)
      let peer = try await PlainSocket.shakingHands(with: second.endpoint)
      peer.send([0, 0])
      #expect(try await peer.receive(2, within: .seconds(30)) == [0, 0])
    }
  }
}

extension [UInt8] {
  /// Copies borrowed bytes.
  fileprivate init(copying bytes: Span<UInt8>) {
    self = bytes.withUnsafeBufferPointer { Array($0) }
  }
}
