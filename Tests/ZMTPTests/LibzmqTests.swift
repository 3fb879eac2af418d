import Dispatch
import TestSupport
import Testing
import Trials
import ZMTP
import ZeroMQ

/// Tests with libzmq at the other end of a bare socket.
@Suite struct LibzmqTests {
  enum Transport: CaseIterable {
    case ipc, tcp

    func listen(in directory: String) throws -> (socket: LocalSocket, endpoint: Endpoint) {
      switch self {
      case .ipc:
        let path = "\(directory)/echo.sock"
        return (try LocalSocket(listeningAt: path), try Endpoint("ipc://\(path)"))
      case .tcp:
        let socket = try LocalSocket(listeningAtPort: 0)
        return (socket, try Endpoint("tcp://127.0.0.1:\(socket.port())"))
      }
    }
  }

  enum Mechanism: CaseIterable { case null, curve }

  /// The context of all tests. Several contexts with CURVE in one process can crash libzmq 4.3.4.
  private static let context = Result { try ZMQContext() }

  private static let serverKey = CurveSecretKey()
  private static let clientKey = CurveSecretKey()

  private static func socketKey(_ bytes: [UInt8]) throws -> CurveKey {
    try #require(CurveKey(bytes))
  }

  private static func curveClient(_ serverKey: CurvePublicKey) throws -> SocketOption {
    .curveClient(
      serverKey: try socketKey(serverKey.bytes),
      publicKey: try socketKey(clientKey.publicKey.bytes),
      secretKey: try socketKey(clientKey.bytes))
  }

  /// Runs `body` with a dealer of libzmq that is connected to an echo of this module.
  private func withDealer(
    _ transport: Transport = .ipc, _ mechanism: Mechanism = .null, _ options: [SocketOption] = [],
    limits: ZMTPLimits = ZMTPLimits(),
    isWelcome: @escaping @Sendable (CurvePublicKey) -> Bool = { $0 == clientKey.publicKey },
    _ body: (borrowing Socket, EchoEnd) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let (listener, endpoint) = try transport.listen(in: directory)
      let security: ZMTPSecurity =
        mechanism == .null
        ? .null : .curveServer(secretKey: Self.serverKey, isWelcome: isWelcome)
      let echo = EchoEnd(at: listener, security: security, limits: limits)
      defer { echo.stop() }
      let socket = try Socket(.dealer, in: Self.context.get())
      if mechanism == .curve { try socket.set(Self.curveClient(Self.serverKey.publicKey)) }
      for option in options { try socket.set(option) }
      try socket.connect(to: endpoint)
      try await body(socket, echo)
    }
  }

  private func expectEcho(_ message: [[UInt8]], _ socket: borrowing Socket) async throws {
    let answer = try await exchange(message, socket)
    #expect(answer == message)
  }

  /// Sends a message, and waits for the answer.
  ///
  /// - Parameter polls: The maximum number of attempts to receive the answer. The attempts are
  ///   10 ms apart.
  /// - Returns: The answer; empty if no answer arrived.
  private func exchange(
    _ message: [[UInt8]], _ socket: borrowing Socket, polls: Int = 500
  ) async throws -> [[UInt8]] {
    // The socket accepts no message before it has a connection.
    var isSent = false
    var answer: [[UInt8]]?
    for _ in 0..<polls where answer == nil {
      if !isSent { isSent = try socket.send(message.map { MessageFrame($0) }) == .sent }
      answer = try socket.receive().map { $0.map(\.bytes) }.flatMap { $0.isEmpty ? nil : $0 }
      if answer == nil { try await Task.sleep(for: .milliseconds(10)) }
    }
    return answer ?? []
  }

  /// Messages of those sizes at which the size of a plain or encrypted frame's header changes, and
  /// messages of other sizes.
  private static let messages: [[[UInt8]]] =
    [0, 1, 222, 223, 255, 256, 8_193, 65_536].map { size in
      [(0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }]
    } + [[[], [1], [2, 3]]]

  @Test(arguments: Transport.allCases, Mechanism.allCases)
  func `libzmq gets messages of all sizes back unchanged`(
    transport: Transport, mechanism: Mechanism
  ) async throws {
    try await withDealer(transport, mechanism) { socket, echo in
      for message in Self.messages { try await expectEcho(message, socket) }
      #expect(echo.peer?.socketType == .dealer)
      #expect(echo.peer?.minorVersion == 1)
      #expect(echo.peer?.publicKey == (mechanism == .null ? nil : Self.clientKey.publicKey))
    }
  }

  @Test(arguments: Mechanism.allCases)
  func `the connection answers libzmq's heartbeats`(mechanism: Mechanism) async throws {
    let heartbeat = SocketOption.heartbeat(
      interval: .milliseconds(20), timeout: .milliseconds(200))
    try await withDealer(.ipc, mechanism, [heartbeat]) { socket, echo in
      try await expectEcho([[1]], socket)
      // Without answers, the dealer would have disconnected after ten heartbeats and reconnected.
      let before = echo.heartbeats
      try await eventually("thirty heartbeats") { echo.heartbeats >= before + 30 }
      try await expectEcho([[2]], socket)
      #expect(echo.connections == 1)
    }
  }

  @Test(arguments: Mechanism.allCases)
  func `an oversized frame ends the connection, and libzmq reconnects`(
    mechanism: Mechanism
  ) async throws {
    let limits = ZMTPLimits(frameBytes: 1_100)
    try await withDealer(.ipc, mechanism, limits: limits) { socket, echo in
      try await expectEcho([[1]], socket)
      _ = try socket.send([MessageFrame([UInt8](repeating: 7, count: 1_101))])
      try await eventually("the end of the connection") { echo.failure == .frameSize }
      // If libzmq accepts a message before libzmq notices the loss of the connection, libzmq also
      // drops this message.
      var isBack = false
      for _ in 0..<50 where !isBack {
        isBack = try await exchange([[2]], socket, polls: 10) == [[2]]
      }
      #expect(isBack)
      #expect(echo.connections == 2)
    }
  }

  @Test func `clients with a disallowed key or a wrong server key are refused`() async throws {
    try await withDealer(.ipc, .curve, isWelcome: { _ in false }) { socket, echo in
      try await eventually("the refusal") { echo.failure != nil }
      #expect(echo.failure == .unwelcome(Self.clientKey.publicKey))
      #expect(echo.peer == nil)
    }
    let other = try Self.curveClient(CurveSecretKey().publicKey)
    try await withDealer(.ipc, .curve, [other]) { socket, echo in
      try await eventually("the refusal") { echo.failure == .box(.hello) }
    }
  }

  // MARK: libzmq as the server

  @Test(arguments: Transport.allCases, Mechanism.allCases)
  func `a connection exchanges messages with a router of libzmq`(
    transport: Transport, mechanism: Mechanism
  ) async throws {
    try await withTemporaryDirectory { directory in
      let router = try Socket(.router, in: Self.context.get())
      // The connection must also answer the heartbeats of the router.
      try router.set(.heartbeat(interval: .milliseconds(20), timeout: .seconds(5)))
      if mechanism == .curve {
        try router.set(.curveServer(secretKey: Self.socketKey(Self.serverKey.bytes)))
      }
      let endpoint = try Endpoint(
        transport == .ipc ? "ipc://\(directory)/router.sock" : "tcp://127.0.0.1:0")
      try router.bind(to: endpoint)
      let bound = try router.lastEndpoint()
      let security: ZMTPSecurity =
        mechanism == .null
        ? .null
        : .curveClient(serverKey: Self.serverKey.publicKey, secretKey: Self.clientKey)
      let client = Task.detached {
        try await Self.ask(at: bound, security: security, of: Self.messages)
      }
      for message in Self.messages {
        var received: [[UInt8]]?
        for _ in 0..<500 where received == nil {
          received = try router.receive().map { $0.map(\.bytes) }
          if received == nil { try await Task.sleep(for: .milliseconds(10)) }
        }
        #expect(received == [Array("ada".utf8)] + message)
        _ = try router.send((received ?? [[]]).map { MessageFrame($0) })
      }
      let (peer, answers) = try await client.value
      #expect(answers == Self.messages)
      #expect(peer?.socketType == .router)
      #expect(peer?.publicKey == (mechanism == .null ? nil : Self.serverKey.publicKey))
    }
  }

  /// Sends the messages one after another, and returns the peer and the answers. The calls block,
  /// so they run on a thread of Dispatch.
  private static func ask(
    at endpoint: Endpoint, security: ZMTPSecurity, of messages: [[[UInt8]]]
  ) async throws -> (ZMTPConnection.Peer?, [[[UInt8]]]) {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            let text = "\(endpoint)"
            let socket =
              text.hasPrefix("ipc://")
              ? try LocalSocket(connectedTo: String(text.dropFirst(6)))
              : try LocalSocket(connectedToPort: Int(text.split(separator: ":")[2]) ?? 0)
            let dealer = try DealerEnd(
              on: socket, security: security, identity: Array("ada".utf8))
            let answers = try messages.map { try dealer.exchange($0) }
            return (dealer.peer, answers)
          })
      }
    }
  }
}
