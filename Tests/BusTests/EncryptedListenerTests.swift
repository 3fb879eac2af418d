import TestSupport
import Testing
import Wire
import ZMTP
import ZeroMQ

@testable import Bus

/// Tests of a listener with an encrypted tcp port, with libzmq as the peer.
@Suite(.timeLimit(.minutes(5)))
struct EncryptedListenerTests {
  private static let context = CurveContext.shared

  /// A listener that sends each message back. The listener has a Unix socket, and a tcp port that
  /// uses ``key``.
  private final class Echo {
    static let key = CurveSecretKey()

    let listener: ClientListener
    let local: Endpoint
    let tcp: Endpoint
    private(set) var changes: [ConnectionEvent] = []
    private(set) var answered = 0

    init(_ bus: TestBus, letting admission: KeyAdmission? = nil) throws {
      var options = ListenerLimits.requests
      options.security = .ofClients(servedBy: Self.key, letting: admission)
      options.admission = admission
      options.handshakeTimeout = .milliseconds(200)
      listener = try ClientListener(
        at: [bus.endpoint(), .tcp(host: "127.0.0.1", port: 0)], on: bus.thread, options: options)
      (local, tcp) = (listener.endpoints[0], listener.endpoints[1])
      listener.onChange = { [unowned self] in changes.append($0) }
      listener.onFrame = { [unowned self] connection, frame in
        answered += 1
        listener.wasUsed(connection)
        _ = listener.send(copying: frame, to: connection)
      }
      bus.cleanUp { [self] in listener.close() }
    }

    /// The endpoint for clients that know the key.
    var secret: Endpoint { tcp.encrypted(for: Self.key.publicKey) }

    /// Makes the listener check its connections now.
    func looks() { listener.sweepConnections(at: listener.thread.now) }

    /// Waits until the listener has reported an event.
    func waits(for event: ConnectionEvent) async throws {
      try await eventually("\(event)", every: .milliseconds(2)) { changes.contains(event) }
    }
  }

  private static func peer(_ bus: TestBus, at endpoint: Endpoint) throws -> RawPeer {
    let peer = try RawPeer(.dealer, in: context.get(), on: bus.thread)
    bus.cleanUp { peer.close() }
    try peer.connect(to: endpoint)
    return peer
  }

  @Test func `a client with the right server key is answered`() async throws {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      let peer = try Self.peer(bus, at: Endpoint(echo.secret.text))
      await peer.connected()
      for size in [0, 1, 255, 256, 65_000] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        try peer.send(MessageFrame(bytes))
        #expect(await peer.messages.next().map(\.bytes) == [bytes])
      }
    }
  }

  @Test func `a client with a listed key is answered until the key is revoked`() async throws {
    try await withTestBus { bus in
      var list = try OtherHost.caller(as: .client)
      let admission = KeyAdmission(list) { _ in }
      let echo = try Echo(bus, letting: admission)
      let peer = try Self.peer(bus, at: echo.secret)
      await peer.connected()
      try peer.send(MessageFrame([7]))
      #expect(await peer.messages.next().map(\.bytes) == [[7]])
      // Another client's key does not affect this client.
      try list.allow(AllowListEntry(.client, CurveKeyPair().publicKey, name: "other"))
      admission.replace(with: list)
      try list.revoke("other")
      admission.replace(with: list)
      echo.looks()
      #expect(!echo.changes.contains(.revoked))
      try list.revoke("caller")
      admission.replace(with: list)
      echo.looks()
      await peer.disconnected()
      try await echo.waits(for: .revoked)
      // The client reconnects by itself, and the listener refuses the client.
      try await echo.waits(for: .handshakeFailed)
    }
  }

  @Test func `an unlisted client key is refused if client keys are listed`() async throws {
    try await withTestBus { bus in
      var list = AllowList()
      try list.allow(AllowListEntry(.client, CurveKeyPair().publicKey, name: "other"))
      let echo = try Echo(bus, letting: KeyAdmission(list) { _ in })
      let peer = try Self.peer(bus, at: echo.secret)
      try await echo.waits(for: .handshakeFailed)
      #expect(
        await peer.events.first { if case .handshakeFailed = $0 { true } else { false } }
          == .handshakeFailed(endpoint: echo.tcp.text, reason: .refused(status: 400)))
      #expect(echo.answered == 0)
    }
  }

  @Test func `Unix sockets are not encrypted`() async throws {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      let peer = try Self.peer(bus, at: echo.local)
      await peer.connected()
      try peer.send(MessageFrame([7]))
      #expect(await peer.messages.next().map(\.bytes) == [[7]])
    }
  }

  @Test
  func `messages with shared bytes and messages with copied bytes arrive in order and complete`()
    async throws
  {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      let peer = try Self.peer(bus, at: echo.secret)
      await peer.connected()
      try peer.send(MessageFrame([7]))
      _ = await peer.messages.next()
      let connection = try #require(echo.listener.connections.values.first)
      for number in 0..<3_000 {
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1_000)
        let result =
          number.isMultiple(of: 3)
          ? echo.listener.send(copying: bytes.span, to: connection)
          : echo.listener.send(ZMTPFramedMessage(bytes.span), to: connection)
        #expect(result == .sent)
      }
      for number in 0..<3_000 {
        let message = await peer.messages.next()
        #expect(message.count == 1 && message[0].bytes.count == 1_000)
        #expect(message[0].bytes.first == UInt8(truncatingIfNeeded: number))
      }
      #expect(connection.unsent == 0)
    }
  }

  @Test func `a client with a wrong server key gets no answer and is counted`() async throws {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      let peer = try Self.peer(bus, at: echo.tcp.encrypted(for: CurveSecretKey().publicKey))
      try await echo.waits(for: .handshakeFailed)
      #expect(throws: RawPeer.Failure.self) { try peer.send(MessageFrame([7])) }
      #expect(echo.answered == 0)
    }
  }

  @Test func `an unencrypted client gets no answer and is counted`() async throws {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      var client = ZMTPConnection(.dealer)
      let socket = try PlainSocket(to: echo.tcp)
      socket.send(client.takeOutput())
      try await echo.waits(for: .handshakeFailed)
      let greeting = try await socket.receive(100, within: .seconds(30))
      #expect(throws: ZMTPError.self) { try client.receive(greeting.span) { _, _ in } }
      #expect(socket.isClosed)
      #expect(echo.answered == 0)
    }
  }

  /// The listener keeps one copy of a message for several clients. A listener that seals the
  /// message for each client would have to keep several copies.
  @Test func `a listener encrypts only a few of the messages for a client that does not read`()
    async throws
  {
    try await withTestBus { bus in
      let echo = try Echo(bus)
      var client = ZMTPConnection(
        .dealer,
        security: .curveClient(serverKey: Echo.key.publicKey, secretKey: CurveSecretKey()))
      let socket = try PlainSocket(to: echo.tcp, receiveBuffer: 4_096)
      while client.peer == nil {
        socket.send(client.takeOutput())
        for byte in try await socket.receive(1, within: .seconds(30)) {
          try client.receive([byte].span) { _, _ in }
        }
      }
      let connection = try #require(echo.listener.connections.values.first)
      let message = ZMTPFramedMessage([UInt8](repeating: 1, count: 4_000).span)
      for _ in 0..<4_000 { _ = echo.listener.send(message, to: connection) }
      try await eventually("the system to take no more", within: .seconds(30)) {
        connection.isBehind
      }
      #expect(connection.unsent > 4_000_000)
      #expect(connection.kept < 2 * ListenerPeerConnection.gathered)
    }
  }
}
