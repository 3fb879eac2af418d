import Bus
import MeetingModel
import ZeroMQ

/// The ROUTER by which clients exchange RTP and RTCP with media: one packet in each frame.
///
/// What a receiver's connection does not take waits here, and of that the oldest is dropped first;
/// no receiver is ever disconnected for being slow. Lives on its ``SocketThread``.
final class PacketSocket {
  /// Called for each packet, which is lent for the call.
  var onPacket: ((Route, Span<UInt8>) -> Void)?

  /// Called when a peer is no longer there to send to: never while something is sent, because who
  /// sends is in the midst of its own state.
  var onGone: ((Route) -> Void)?

  /// Called for each packet that is dropped because its receiver is too slow.
  var onDrop: ((Route) -> Void)?

  private let thread: SocketThread
  private let locks: [EndpointLock]
  private var socket: Socket?
  private var watch: WatchID?
  private var monitor: MonitorID?
  private var message = ReceivedMessage()

  /// Connections that belong to nobody yet.
  private var unauthenticated: IdleConnections

  /// Whether the message that is looked at showed that its connection belongs to somebody.
  private var isWelcome = false
  private var waiting: [Route: PacketQueue] = [:]

  /// Peers that are gone, of which nobody was told yet.
  private var departed: [Route] = []

  /// Messages for one peer that libzmq keeps, beside what the system does: a quarter of a second of
  /// one video and the mix.
  private static let sendHighWaterMark = 64

  /// Messages that are read before other sockets have their turn.
  private static let messagesPerTurn = 512

  /// - Parameters:
  ///   - maximumPacketSize: In bytes; a longer frame ends its connection.
  ///   - timeout: How long a connection may belong to nobody; then it is ended.
  /// - Throws: ``ZeroMQError`` when an endpoint is taken or cannot be bound.
  init(
    at endpoints: [Endpoint], maximumPacketSize: Int, unauthenticatedLimit timeout: Duration,
    in context: Context, on thread: SocketThread
  ) throws(ZeroMQError) {
    self.thread = thread
    var locks: [EndpointLock] = []
    let socket = try Socket(.router, in: context)
    try socket.set(.maximumMessageSize(maximumPacketSize))
    try socket.set(.sendHighWaterMark(Self.sendHighWaterMark))
    try socket.set(.handshakeTimeout(.seconds(5)))
    try socket.set(.backlog(1024))
    for endpoint in endpoints {
      locks.append(try EndpointLock(endpoint))
      try socket.bind(to: endpoint)
    }
    self.locks = locks
    self.socket = consume socket
    unauthenticated = IdleConnections(limit: timeout, at: endpoints)
    monitor = try watchConnections()
    watch = withSocket { socket in thread.watch(socket) { [unowned self] in receive() } }
  }

  private func watchConnections() throws(ZeroMQError) -> MonitorID? {
    switch socket {
    case .some(let socket):
      try thread.monitor(socket) { [unowned self] event in
        unauthenticated.observe(event, at: thread.now)
      }
    case .none: nil
    }
  }

  /// The connection of the packet that is looked at belongs to somebody: it may be silent.
  func welcome() { isWelcome = true }

  /// How many packets wait for a receiver.
  func backlog(of route: Route) -> Int { waiting.isEmpty ? 0 : waiting[route]?.count ?? 0 }

  /// Sends a packet that several receivers get; its bytes are not copied.
  func send(_ packet: Frame, to route: Route) {
    if isWaiting(route) { return enqueue(packet, for: route) }
    let result = withSocket { socket in
      route.withBytes { (try? socket.send(route: $0, packet)) ?? .unroutable }
    }
    switch result {
    case .sent, nil: break
    case .wouldBlock: enqueue(packet, for: route)
    case .unroutable: gone(route)
    }
  }

  /// Sends a packet of one receiver; its bytes are copied once, into the message.
  func send(copying packet: Span<UInt8>, to route: Route) {
    if isWaiting(route) { return enqueue(Frame(copying: packet), for: route) }
    let result = withSocket { socket in
      route.withBytes { (try? socket.send(route: $0, copying: packet)) ?? .unroutable }
    }
    switch result {
    case .sent, nil: break
    case .wouldBlock: enqueue(Frame(copying: packet), for: route)
    case .unroutable: gone(route)
    }
  }

  /// Sends what waits, as far as it goes. Call it regularly.
  func flush() {
    if !unauthenticated.isEmpty { _ = unauthenticated.hangUp(at: thread.now) }
    for route in Array(waiting.keys) { flush(route) }
    tellDeparted()
  }

  /// Nothing that waits for this receiver is sent any more.
  func forget(_ route: Route) { waiting[route] = nil }

  func close() {
    if let watch { thread.unwatch(watch) }
    if let monitor { thread.stopMonitoring(monitor) }
    (watch, monitor) = (nil, nil)
    socket = nil
    (waiting, departed) = ([:], [])
    for lock in locks { lock.unlock() }
  }

  /// Whether packets wait for this receiver. Looking takes a hash, and mostly nothing waits for
  /// anybody.
  private func isWaiting(_ route: Route) -> Bool { !waiting.isEmpty && waiting[route] != nil }

  private func flush(_ route: Route) {
    while let packet = waiting[route]?.next {
      let result = withSocket { socket in
        route.withBytes { (try? socket.send(route: $0, packet)) ?? .unroutable }
      }
      switch result {
      case .sent: waiting[route]?.removeFirst()
      case .wouldBlock, nil: return
      case .unroutable: return gone(route)
      }
    }
    waiting[route] = nil
  }

  private func enqueue(_ packet: Frame, for route: Route) {
    if waiting[route, default: PacketQueue()].append(packet) { onDrop?(route) }
  }

  private func gone(_ route: Route) {
    waiting[route] = nil
    if !departed.contains(route) { departed.append(route) }
  }

  private func tellDeparted() {
    while let route = departed.popLast() { onGone?(route) }
  }

  private func receive() {
    for _ in 0..<Self.messagesPerTurn {
      guard withSocket({ socket in (try? socket.receive(into: &message)) ?? false }) ?? false
      else { return }
      guard message.partCount > 1, message.partCount <= Socket.maximumParts else { continue }
      // A connection that comes may have the name of one that is gone.
      tellDeparted()
      let route = message.withBytes(ofPart: 0) { Route($0) }
      for part in 1..<message.partCount {
        message.withOctets(ofPart: part) { onPacket?(route, $0) }
      }
      guard isWelcome else { continue }
      isWelcome = false
      if let connection = message.connection { unauthenticated.exempt(connection) }
    }
  }

  private func withSocket<Result>(_ body: (borrowing Socket) -> Result) -> Result? {
    switch socket {
    case .some(let socket): body(socket)
    case .none: nil
    }
  }
}
