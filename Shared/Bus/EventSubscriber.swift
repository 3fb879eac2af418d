public import Wire
public import ZeroMQ

/// A received event with a parsed header and a packed body.
public struct ReceivedBusEvent: Sendable {
  /// The topic under which the owner published the event.
  public let topic: EventTopic

  /// The event's audience, and the event's position in its stream.
  public let header: V1.EventHeader

  /// The packed body, which gateways forward unchanged.
  public let body: [UInt8]
}

/// A subscriber to one instance's event streams, through a SUB socket.
///
/// The network may lose events; a ``StreamFollower`` detects the gaps. All calls run on its
/// ``SocketThread``.
public final class EventSubscriber {
  /// Called for each event, in the order of its stream.
  public var onEvent: ((ReceivedBusEvent) -> Void)?

  /// Called for each beacon of the instance.
  public var onBeacon: ((V1.StreamBeacon) -> Void)?

  /// Called for invalid events.
  public var onMalformed: (() -> Void)?

  private let endpoint: Endpoint
  private let context: ZMQContext
  private let thread: SocketThread
  private var socket: Socket?
  private var watch: PollWatchID?
  private var monitor: SocketMonitorID?
  private let retry: RefusalRetry

  /// The subscribed topics, each with the number of its subscriptions.
  private var topics: [EventTopic: Int]

  /// Connects to an instance and subscribes to its beacons.
  public init(
    to endpoint: Endpoint, instance: String, in context: ZMQContext, on thread: SocketThread
  ) throws(ZeroMQError) {
    (self.endpoint, self.context, self.thread) = (endpoint, context, thread)
    topics = [.beacon(of: instance): 1]
    retry = RefusalRetry(on: thread)
    try openSocket()
    retry.reopen = { [unowned self] in
      closeSocket()
      try openSocket()
    }
  }

  private func openSocket() throws(ZeroMQError) {
    let socket = try Socket(.sub, in: context)
    try socket.set(.reconnect(initial: .milliseconds(50), maximum: .milliseconds(400)))
    for (topic, count) in topics {
      for _ in 0..<count { try socket.subscribe(to: topic.bytes) }
    }
    // A monitor needs two more sockets, so this code makes a monitor only for a connection that the
    // other side may refuse.
    if endpoint.serverKey != nil {
      monitor = try thread.monitor(socket) { [unowned self] event in observe(event) }
    }
    try socket.connect(to: endpoint)
    self.socket = consume socket
    watch = withSocket { socket in thread.watch(socket) { [unowned self] in receive() } }
  }

  private func closeSocket() {
    if let watch { thread.unwatch(watch) }
    if let monitor { thread.stopMonitoring(monitor) }
    (watch, monitor) = (nil, nil)
    socket = nil
  }

  private func observe(_ event: MonitorEvent) {
    if case .handshakeFailed(_, let failure) = event { retry.note(failure) }
  }

  /// Subscribes to a topic.
  public func subscribe(to topic: EventTopic) {
    topics[topic, default: 0] += 1
    _ = withSocket { socket in try? socket.subscribe(to: topic.bytes) }
  }

  /// Ends one subscription to a topic. Events that are already in transit may still arrive.
  public func unsubscribe(from topic: EventTopic) {
    let left = topics[topic, default: 1] - 1
    topics[topic] = left > 0 ? left : nil
    _ = withSocket { socket in try? socket.unsubscribe(from: topic.bytes) }
  }

  /// Closes the socket. After this call, the subscriber calls no closure.
  public func close() {
    retry.cancel()
    closeSocket()
  }

  private func receive() {
    for _ in 0..<Self.messagesPerTurn {
      guard let message = withSocket({ socket in try? socket.receive() }) ?? nil else { return }
      guard let frame = message.first, handle(frame) else {
        onMalformed?()
        continue
      }
    }
  }

  private static let messagesPerTurn = 256

  private func handle(_ frame: MessageFrame) -> Bool {
    frame.withBytes { bytes in
      guard let topic = EventTopic(leading: bytes) else { return false }
      let rest = bytes.extracting(topic.text.utf8.count..<bytes.byteCount)
      let longest = WireFrame.maximumEventHeaderBytes
      guard let parts = try? WireFrame.split(rest, maximumHeader: longest),
        let header = try? V1.EventHeader(packed: rest.extracting(parts.header))
      else { return false }
      let body = rest.extracting(parts.body)
      if topic.isBeacon {
        guard let beacon = try? V1.StreamBeacon(packed: body) else { return false }
        onBeacon?(beacon)
      } else {
        onEvent?(ReceivedBusEvent(topic: topic, header: header, body: [UInt8](copying: body)))
      }
      return true
    }
  }

  private func withSocket<Result>(_ body: (borrowing Socket) -> Result) -> Result? {
    switch socket {
    case .some(let socket): body(socket)
    case .none: nil
    }
  }
}
