internal import Wire
internal import ZeroMQ

/// A transport for requests over a libzmq ROUTER.
///
/// libzmq does not report disconnects. A send to a peer that has disconnected returns `unroutable`.
final class RouterTransport: RequestServerTransport {
  var onRequest: (RoutingID, RawSpan?) -> Void = { _, _ in }
  var onDeparture: (RoutingID) -> Void = { _ in }
  var onUndeliverable: () -> Void = {}
  var onChange: (ConnectionEvent) -> Void {
    get { connections.onChange }
    set { connections.onChange = newValue }
  }

  let rule = "a message has a frame and at most 14 raw ones"

  private let thread: SocketThread
  private var socket: Socket?
  private var watch: PollWatchID?
  private var hook: SocketThreadHookID?
  private var answers = AnswerBatch()
  private let connections: BoundSocketConnections
  private let portWatch: SecuredPortGuard?
  private let locks: [EndpointLock]

  /// The maximum number of messages that this type receives in one turn of the thread. After this
  /// number, the thread serves its other sockets.
  private static let messagesPerTurn = 256

  /// Binds every endpoint. The transport locks an ipc endpoint before it binds the endpoint, so
  /// that no second process takes the endpoint over.
  ///
  /// - Parameter port: An additional port for peers on other hosts.
  /// - Throws: ``ZeroMQError`` when an endpoint is in use, or when this process cannot bind an
  ///   endpoint.
  init(
    at endpoints: [Endpoint], securedAt port: SecuredPort?, in context: ZMQContext,
    on thread: SocketThread, options: RequestServerLimits
  ) throws(ZeroMQError) {
    self.thread = thread
    var locks: [EndpointLock] = []
    let socket = try Socket(.router, in: context)
    try socket.set(.maximumMessageSize(options.maximumMessageSize))
    try socket.set(.backlog(options.backlog))
    try socket.set(.handshakeTimeout(options.handshakeTimeout))
    for endpoint in endpoints {
      locks.append(try EndpointLock(endpoint))
      try socket.bind(to: endpoint)
    }
    self.locks = locks
    // The transport observes connections before it binds the port, so that the transport misses no
    // connection.
    let connections = try BoundSocketConnections(of: socket, on: thread)
    do throws(ZeroMQError) {
      portWatch = try socket.open(port, on: thread)
    } catch {
      connections.close()
      throw error
    }
    connections.portWatch = portWatch
    self.connections = connections
    self.socket = consume socket
    watch = withSocket { socket in thread.watch(socket) { [unowned self] in receive() } }
    hook = thread.addBeforePoll(isLast: true) { [unowned self] in
      answers.takeAll { [unowned self] route, bundle in send(bundle, to: route) }
    }
  }

  var endpoint: Endpoint? { withSocket { socket in try? socket.lastEndpoint() } ?? nil }

  func answer(_ frame: borrowing ArenaWireFrame, to route: RoutingID) {
    guard frame.count <= WireFrameBundle.largestFrame else {
      if send(frame, raw: [], to: route) != .sent { onUndeliverable() }
      return
    }
    answers.append(frame, to: route) { [unowned self] route, bundle in send(bundle, to: route) }
  }

  func send(_ frame: borrowing ArenaWireFrame, raw: [MessageFrame], to route: RoutingID)
    -> SendResult
  {
    answers.take(of: route) { [unowned self] route, bundle in send(bundle, to: route) }
    let result = withSocket { socket in
      route.withBytes { name in
        if raw.isEmpty {
          return try? socket.send(route: name, size: frame.count) { frame.write(to: &$0) }
        }
        let first = MessageFrame(size: frame.count) { output in frame.write(to: &output) }
        return try? socket.send([MessageFrame(copying: name), first] + raw)
      } ?? .unroutable
    }
    return result ?? .unroutable
  }

  /// Sends answers in one message.
  private func send(_ bundle: borrowing WireFrameBundle, to route: RoutingID) {
    let result = withSocket { socket in
      route.withBytes { name in
        bundle.withMessage { message in try? socket.send(route: name, copying: message) }
      }
    }
    guard result != .sent else { return }
    for _ in 0..<bundle.count { onUndeliverable() }
  }

  func wasUsed(by route: RoutingID) {}
  func wasRefused(to route: RoutingID) {}

  func departure(within limit: Duration) async { await connections.departure(within: limit) }

  func close() {
    if let watch { thread.unwatch(watch) }
    watch = nil
    hook.map(thread.removeBeforePoll)
    hook = nil
    answers.takeAll { [unowned self] route, bundle in send(bundle, to: route) }
    connections.close()
    portWatch?.close()
    socket = nil
    for lock in locks { lock.unlock() }
  }

  private func receive() {
    var message = ReceiveBuffer()
    for _ in 0..<Self.messagesPerTurn {
      guard withSocket({ socket in try? socket.receive(into: &message) }) == true else { return }
      let route = message.withBytes(ofPart: 0) { RoutingID($0) }
      if (2...Socket.maximumParts).contains(message.partCount) {
        message.withBytes(ofPart: 1) { onRequest(route, $0) }
      } else {
        onRequest(route, nil)
      }
    }
  }

  private func withSocket<Result>(_ body: (borrowing Socket) -> Result) -> Result? {
    switch socket {
    case .some(let socket): body(socket)
    case .none: nil
    }
  }
}
