import Glibc
import HeapSize
import MeetingModel
import ServiceHost
import Testing
import WebRTC
import ZeroMQ

@testable import Media

/// A WebRTC port on its socket thread, and its counters.
private actor PeerAuthenticator {
  let counters = WebRTCCounters(in: MetricsRegistry())
  private let thread: SocketThread
  private var door: WebRTCUDPEndpoint?
  private lazy var ticker = ThreadTimer(on: thread)
  private var lastTick: Duration?

  /// The longest processor time of the thread between two ticks. The ticks are 5 ms apart.
  private(set) var longestTick = Duration.zero

  /// For each lost session, the number of handshake steps that waited at the time of the loss.
  private(set) var waitingAtLoss: [SessionID: Double] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(on thread: SocketThread) { self.thread = thread }

  /// Opens the port on loopback, and returns the port's number.
  ///
  /// - Parameter handshakes: The maximum number of concurrent handshakes.
  func open(handshakes: Int) throws -> UInt16 {
    var configuration = try #require(WebRTCConfiguration(addresses: ["127.0.0.1"], port: 0))
    configuration.handshakes = handshakes
    let door = try WebRTCUDPEndpoint(configuration, on: thread, counting: counters)
    door.onLoss = { [unowned self] id in assumeIsolated { $0.lose(id) } }
    self.door = door
    return try #require(door.endpoints.split(separator: ":").last.flatMap { UInt16($0) })
  }

  func answer(_ offer: String, of session: SessionID) throws -> SDPOffer {
    try SDPOffer(try #require(door).answer(offer, of: session, sending: 7).text)
  }

  func remove(_ session: SessionID) { door?.remove(session) }

  private func lose(_ session: SessionID) {
    waitingAtLoss[session] = Double(counters.waitingHandshakes.value)
  }

  /// Performs work on the socket thread, so that the port reads no datagram during the work.
  func perform(_ work: sending () -> Void) { work() }

  /// Begins to measure the processor time between ticks.
  func beginTicks() {
    lastTick = nil
    tick()
  }

  /// Measures the thread's processor time since the last tick. In media, the mix of a meeting
  /// leaves at a tick of this kind. The processor time of the thread does not depend on how busy
  /// the machine is.
  private func tick() {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    let now = Duration.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    if let lastTick { longestTick = max(longestTick, now - lastTick) }
    lastTick = now
    ticker.set(after: .milliseconds(5)) { [self] in assumeIsolated { $0.tick() } }
  }

  func close() {
    ticker.cancel()
    door?.close()
    door = nil
  }
}

/// A browser's socket that knows the port's number.
private final class Browser {
  private let socket: UDPSocket
  private let door: UDPAddress

  init(to port: UInt16) throws {
    socket = try UDPSocket(at: [127, 0, 0, 1], port: 0)
    door = UDPAddress(host: [127, 0, 0, 1], port: port)
  }

  func send(_ datagram: [UInt8]) {
    let isSent = socket.send(datagram.span, to: door)
    #expect(isSent)
  }

  /// Sends a connectivity check with the credentials of an answer.
  func check(_ answer: SDPOffer, from fragment: String) throws {
    let section = try #require(answer.sections.first)
    let (name, password) = (section["ice-ufrag"] ?? "", section["ice-pwd"] ?? "")
    let username = STUNMessage.Value(
      type: STUNMessage.Attribute.username, bytes: Array("\(name):\(fragment)".utf8))
    send(
      STUNMessage(.request, transaction: Array(1...12), attributes: [username])
        .datagram(with: Array(password.utf8)))
  }

  /// Completes a handshake with the port.
  func shakeHands(_ handshake: DTLSHandshake) throws {
    handshake.poll(at: .now).datagrams.forEach(send)
    while handshake.outcome == .running {
      let datagram = try #require(receiveBytes())
      handshake.receive(datagram, at: .now).datagrams.forEach(send)
    }
    guard case .done = handshake.outcome else { throw HandshakeError.failed(handshake.outcome) }
  }

  enum HandshakeError: Error { case failed(DTLSOutcome) }

  /// Waits for a datagram, and returns whether a datagram has arrived in time.
  func isAnswered() -> Bool {
    var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 60_000) == 1
  }

  /// Returns the next datagram; `nil` if no datagram arrives within the timeout, in milliseconds.
  func receive(within timeout: Int32 = 10_000) -> STUNMessage? {
    receiveBytes(within: timeout).flatMap { STUNMessage($0.span) }
  }

  private func receiveBytes(within timeout: Int32 = 10_000) -> [UInt8]? {
    var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, timeout) == 1 else { return nil }
    var room = [UInt8](repeating: 0, count: 2_048)
    guard let (count, _) = socket.receive(into: &room) else { return nil }
    return Array(room[..<count])
  }
}

@Suite(.timeLimit(.minutes(5))) struct WebRTCUDPEndpointTests {
  private static func offer(_ fragment: String, fingerprint: String = "sha-256 00:11") -> String {
    [
      "v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
      "m=audio 9 UDP/TLS/RTP/SAVPF 111", "a=mid:0", "a=ice-ufrag:\(fragment)",
      "a=ice-pwd:0123456789012345678901", "a=fingerprint:\(fingerprint)", "a=setup:actpass",
      "a=rtpmap:111 opus/48000/2", "",
    ].joined(separator: "\r\n")
  }

  private func session(_ number: UInt8) throws -> SessionID {
    try #require(SessionID(bytes: [UInt8](repeating: number, count: 16)))
  }

  private func withDoor(
    handshakes: Int = 10, _ body: (PeerAuthenticator, UInt16) async throws -> Void
  ) async throws {
    let thread = SocketThread(name: "door")
    defer { thread.stop() }
    let keeper = PeerAuthenticator(on: thread)
    let port = try await keeper.open(handshakes: handshakes)
    do { try await body(keeper, port) } catch { Issue.record(error) }
    await keeper.close()
  }

  @Test func `the port answers each session's connectivity checks with this session's credentials`()
    async throws
  {
    try await withDoor { keeper, port in
      let (ada, bea) = (try session(1), try session(2))
      let answers = [
        try await keeper.answer(Self.offer("adas"), of: ada),
        try await keeper.answer(Self.offer("beas"), of: bea),
      ]
      let browser = try Browser(to: port)
      try browser.check(answers[0], from: "adas")
      #expect(browser.receive()?.kind == .success)
      // An address belongs to the session that last validated it.
      try browser.check(answers[1], from: "beas")
      #expect(browser.receive()?.kind == .success)
      try browser.check(answers[1], from: "adas")
      #expect(browser.receive()?.kind == .error)
      #expect(keeper.counters.checks.value == 3 && keeper.counters.peers.value == 2)
    }
  }

  @Test func `the port identifies a reconnected client by the client's new ICE username fragment`()
    async throws
  {
    try await withDoor { keeper, port in
      let ada = try session(1)
      let first = try await keeper.answer(Self.offer("adas"), of: ada)
      let second = try await keeper.answer(Self.offer("anew"), of: ada)
      #expect(first.sections[0]["ice-ufrag"] == second.sections[0]["ice-ufrag"])
      #expect(first.lines[0] != second.lines[0], "The origin's version grows.")
      let browser = try Browser(to: port)
      try browser.check(second, from: "adas")
      #expect(browser.receive()?.kind == .error)
      try browser.check(second, from: "anew")
      #expect(browser.receive()?.kind == .success)
      #expect(keeper.counters.peers.value == 1)
    }
  }

  @Test func `the port counts handshakes by outcome and limits open handshakes`() async throws {
    try await withDoor(handshakes: 1) { keeper, port in
      let browsers = [try Browser(to: port), try Browser(to: port), try Browser(to: port)]
      for (number, browser) in browsers.enumerated() {
        let (id, fragment) = (try session(UInt8(number + 1)), "frag\(number)")
        // The third browser connects after the first browser has freed its place.
        if number == 2 { await keeper.remove(try session(1)) }
        try browser.check(try await keeper.answer(Self.offer(fragment), of: id), from: fragment)
        #expect(browser.receive()?.kind == .success)
      }
      let counted = keeper.counters.handshakes
      #expect(counted[.tooManyHandshakes].value == 1 && counted[.abandoned].value == 1)
      await keeper.remove(try session(3))
      #expect(counted[.abandoned].value == 2)
    }
  }

  @Test func `a burst of handshakes delays sound by less than 60 ms of processor time`()
    async throws
  {
    try await withDoor(handshakes: 400) { keeper, port in
      let hello = try DTLSHandshake(
        .client, identity: DTLSIdentity(at: 1_767_225_600), expecting: [], at: .now
      ).poll(at: .now).datagrams
      let browsers = try (0..<400).map { _ in try Browser(to: port) }
      for browser in browsers {
        try browser.check(
          try await keeper.answer(Self.offer("frag"), of: .random()), from: "frag")
        #expect(browser.receive()?.kind == .success)
      }
      await keeper.beginTicks()
      for browser in browsers { hello.forEach(browser.send) }
      let answered = browsers.count { $0.isAnswered() }
      let longest = await keeper.longestTick
      print("The longest processor time between two ticks is \(longest).")
      #expect(answered == browsers.count && longest < .milliseconds(60))
    }
  }

  @Test func `the close of a browser's connection does not wait for other browsers' handshakes`()
    async throws
  {
    try await withDoor(handshakes: 400) { keeper, port in
      let (ada, identity) = (try session(1), try DTLSIdentity(at: 1_767_225_600))
      let answer = try await keeper.answer(
        Self.offer("adas", fingerprint: identity.fingerprint.description), of: ada)
      let connection = try Browser(to: port)
      try connection.check(answer, from: "adas")
      #expect(connection.receive()?.kind == .success)
      let fingerprint = try #require(answer.sections[0]["fingerprint"])
      let handshake = try DTLSHandshake(
        .client, identity: identity, expecting: [try #require(DTLSFingerprint(fingerprint))],
        at: .now)
      try connection.shakeHands(handshake)

      let hello = try DTLSHandshake(.client, identity: identity, expecting: [], at: .now)
        .poll(at: .now).datagrams
      let others = try (0..<100).map { _ in try Browser(to: port) }
      for other in others {
        try other.check(try await keeper.answer(Self.offer("frag"), of: .random()), from: "frag")
        #expect(other.receive()?.kind == .success)
      }
      let goodbye = handshake.close(at: .now).datagrams
      await keeper.perform {
        for other in others { hello.forEach(other.send) }
        goodbye.forEach(connection.send)
      }
      while await keeper.waitingAtLoss[ada] == nil { try await Task.sleep(for: .milliseconds(5)) }
      let waiting = try #require(await keeper.waitingAtLoss[ada])
      #expect(waiting > 50, "Handshakes of others still wait.")
    }
  }

  /// The test runs in its own process, because other tests allocate memory at the same time.
  @Test func `ten thousand unfinished handshakes take bounded memory and are counted`() async {
    await #expect(processExitsWith: .success) {
      let thread = SocketThread(name: "door")
      let keeper = PeerAuthenticator(on: thread)
      let browser = try Browser(to: try await keeper.open(handshakes: Flood.mostHandshakes))
      let hello = try DTLSHandshake(
        .client, identity: DTLSIdentity(at: 1_767_225_600), expecting: [], at: .now
      ).poll(at: .now).datagrams
      let before = heap_size()
      for _ in 0..<Flood.handshakes {
        let answer = try await keeper.answer(Self.offer("frag"), of: .random())
        try browser.check(answer, from: "frag")
        while browser.receive()?.kind != .success {}
        hello.forEach(browser.send)
      }
      let used = heap_size() - before
      print("Handshakes that never end take \(used >> 20) MiB.")
      precondition(used <= Flood.mostBytes, "Handshakes that never end take \(used) bytes.")
      let counted = keeper.counters.handshakes
      let refused = counted[.tooManyHandshakes].value + counted[.timedOut].value
      precondition(refused >= UInt64(Flood.handshakes - Flood.mostHandshakes), "All are counted.")
      await keeper.close()
      thread.stop()
    }
  }

  /// Sizes of the flood of handshakes that never end.
  private enum Flood {
    static let handshakes = 10_000
    static let mostHandshakes = 1_000

    /// A handshake that has received only a hello takes at most 96 KiB, as `HandshakeMemoryTests`
    /// checks. A session without a handshake takes at most 8 KiB.
    static let mostBytes = (mostHandshakes * 96 + handshakes * 8) << 10
  }

  @Test func `the port gets buffers that are large enough for a burst`() async throws {
    try await withDoor { keeper, _ in
      // Every system grants this size to every process.
      #expect(keeper.counters.receiveBuffer.value >= 200 * 1_024)
      #expect(keeper.counters.sendBuffer.value >= 200 * 1_024)
      // No buffer is larger than media asks for.
      #expect(keeper.counters.receiveBuffer.value <= Double(UDPSocket.wantedBufferBytes))
      #expect(keeper.counters.sendBuffer.value <= Double(UDPSocket.wantedBufferBytes))
    }
  }

  @Test
  func `the port does not answer ended sessions or datagrams that are not connectivity checks`()
    async throws
  {
    try await withDoor { keeper, port in
      let (ada, bea) = (try session(1), try session(2))
      let gone = try await keeper.answer(Self.offer("adas"), of: ada)
      let there = try await keeper.answer(Self.offer("beas"), of: bea)
      await keeper.remove(ada)
      let browser = try Browser(to: port)
      try browser.check(gone, from: "adas")
      browser.send([22, 254, 253])
      browser.send([128, 111])
      // The port answers in order, so an answer to an earlier datagram would arrive first.
      try browser.check(there, from: "beas")
      #expect(browser.receive()?.kind == .success)
      #expect(browser.receive(within: 0) == nil)
      #expect(keeper.counters.refusedChecks.value == 1 && keeper.counters.passedOver.value == 2)
      #expect(keeper.counters.peers.value == 1)
    }
  }
}
