public import Wire
public import ZeroMQ

/// An event as it arrived: read as far as its header.
public struct ReceivedEvent: Sendable {
  /// The topic under which it was published.
  public let topic: Topic

  /// Who may see the event, and where it stands in its stream.
  public let header: V1.EventHeader

  /// The packed body, to be passed on as it is.
  public let body: [UInt8]
}

/// Subscribes to the event streams of one instance, through a SUB socket.
///
/// Events may be lost on the way; a ``StreamFollower`` notices. Lives on its ``SocketThread``.
public final class EventSubscriber {
  /// Called for each event, in the order of its stream.
  public var onEvent: ((ReceivedEvent) -> Void)?

  /// Called for each beacon of the instance.
  public var onBeacon: ((V1.StreamBeacon) -> Void)?

  /// Called for bytes that are no event.
  public var onMalformed: (() -> Void)?

  private let thread: SocketThread
  private var socket: Socket?
  private var watch: WatchID?

  /// Connects to an instance and subscribes to its beacons.
  public init(
    to endpoint: Endpoint, instance: String, in context: Context, on thread: SocketThread
  ) throws(ZeroMQError) {
    self.thread = thread
    let socket = try Socket(.sub, in: context)
    try socket.set(.reconnect(initial: .milliseconds(50), maximum: .milliseconds(400)))
    try socket.subscribe(to: Topic.beacon(of: instance).bytes)
    try socket.connect(to: endpoint)
    self.socket = consume socket
    watch = withSocket { socket in thread.watch(socket) { [unowned self] in receive() } }
  }

  /// Asks for the events of a topic from now on.
  public func subscribe(to topic: Topic) {
    _ = withSocket { socket in try? socket.subscribe(to: topic.bytes) }
  }

  /// Asks for no more events of a topic; some may still be on their way.
  public func unsubscribe(from topic: Topic) {
    _ = withSocket { socket in try? socket.unsubscribe(from: topic.bytes) }
  }

  /// Closes the socket; nothing is called any more.
  public func close() {
    if let watch { thread.unwatch(watch) }
    watch = nil
    socket = nil
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

  private func handle(_ frame: Frame) -> Bool {
    frame.withBytes { bytes in
      guard let topic = Topic(leading: bytes) else { return false }
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
        onEvent?(ReceivedEvent(topic: topic, header: header, body: [UInt8](copying: body)))
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
