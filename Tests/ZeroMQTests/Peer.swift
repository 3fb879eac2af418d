import ZeroMQ

/// A socket on a thread. Tests can await the messages and the events of the socket.
actor Peer {
  private enum Failure: Error { case isClosed }

  nonisolated let thread: SocketThread
  private var socket: Socket?
  private var watch: PollWatchID?
  private var messages: AsyncStream<[MessageFrame]>.Iterator?
  private var events: AsyncStream<MonitorEvent>.Iterator?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(on thread: SocketThread) { self.thread = thread }

  static func open(
    _ kind: Socket.Kind, in context: ZMQContext, on thread: SocketThread,
    _ options: SocketOption...
  ) async throws -> Peer {
    let peer = Peer(on: thread)
    try await peer.open(kind, in: context, options)
    return peer
  }

  private func open(_ kind: Socket.Kind, in context: ZMQContext, _ options: [SocketOption]) throws {
    let socket = try Socket(kind, in: context)
    for option in options { try socket.set(option) }
    events = try thread.monitorEvents(of: socket).makeAsyncIterator()
    let (stream, continuation) = AsyncStream.makeStream(of: [MessageFrame].self)
    messages = stream.makeAsyncIterator()
    if kind != .push && kind != .pub {
      watch = thread.watch(socket) { [unowned self] in
        self.assumeIsolated { $0.readOne(continuation) }
      }
    }
    self.socket = consume socket
  }

  // Reads one message per turn, so the loop must run again for the remaining messages.
  private func readOne(_ continuation: AsyncStream<[MessageFrame]>.Continuation) {
    if let frames = try? socket?.receive() { continuation.yield(frames) }
  }

  func bind(to endpoint: Endpoint) throws -> Endpoint {
    try socket?.bind(to: endpoint)
    guard let last = try socket?.lastEndpoint() else { throw Failure.isClosed }
    return last
  }

  func connect(to endpoint: Endpoint) throws { try socket?.connect(to: endpoint) }

  /// Connects and waits until messages pass.
  func join(_ endpoint: Endpoint) async throws {
    try connect(to: endpoint)
    _ = await event { if case .handshakeSucceeded = $0 { true } else { false } }
  }

  func unbind(from endpoint: Endpoint) throws { try socket?.unbind(from: endpoint) }
  func disconnect(from endpoint: Endpoint) throws { try socket?.disconnect(from: endpoint) }
  func subscribe(to prefix: [UInt8]) throws { try socket?.subscribe(to: prefix) }
  func unsubscribe(from prefix: [UInt8]) throws { try socket?.unsubscribe(from: prefix) }
  func set(_ option: SocketOption) throws { try socket?.set(option) }

  func send(_ frames: [MessageFrame]) throws -> SendResult {
    guard let result = try socket?.send(frames) else { throw Failure.isClosed }
    return result
  }

  func send(_ text: String) throws -> SendResult {
    guard let result = try socket?.send(MessageFrame(text)) else { throw Failure.isClosed }
    return result
  }

  func send(route: MessageFrame, _ frame: MessageFrame) throws -> SendResult {
    guard let result = try socket?.send(route: route, frame) else { throw Failure.isClosed }
    return result
  }

  func receive() async -> [MessageFrame] {
    var iterator = messages
    let message = await iterator?.next(isolation: self)
    messages = iterator
    return message ?? []
  }

  /// Returns the next event that matches; `nil` if the monitor ends first.
  func event(_ matches: @Sendable (MonitorEvent) -> Bool) async -> MonitorEvent? {
    var iterator = events
    defer { events = iterator }
    while let event = await iterator?.next(isolation: self) {
      if matches(event) { return event }
    }
    return nil
  }

  func close() {
    if let watch { thread.unwatch(watch) }
    watch = nil
    socket = nil
  }

  isolated deinit { close() }
}

extension MessageFrame {
  init(_ text: String) { self.init(Array(text.utf8)) }
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
