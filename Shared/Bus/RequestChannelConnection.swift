internal import MeetingModel
internal import Wire
internal import ZeroMQ

/// The connection of a ``RequestChannel`` through a DEALER socket.
///
/// The socket connects and reconnects on its own. This type reopens the socket after a refusal.
///
/// All calls run on its ``SocketThread``.
final class RequestChannelConnection {
  /// Called with `true` when the socket establishes the connection, and with `false` when the
  /// socket loses the connection.
  ///
  /// Before the call that reports a loss, ``onMessage`` has received every message that arrived.
  var onChange: (Bool) -> Void = { _ in }

  /// Called when a refusal begins or changes.
  var onRefusal: (Status) -> Void = { _ in }

  /// Receives each message.
  var onMessage: (inout ReceiveBuffer) -> Void = { _ in }

  /// The server's endpoint.
  let endpoint: Endpoint

  /// Whether the socket has a connection.
  private(set) var isUp = false

  /// The reason why the server refuses this client, if known; `nil` while the server accepts this
  /// client or is unreachable.
  private(set) var refusal: Status?

  /// The number of consecutive failed handshakes.
  private var brokenHandshakes = 0

  private let context: ZMQContext
  private let thread: SocketThread
  private let maximumMessageSize: Int
  private let retry: RefusalRetry
  private var socket: Socket?
  private var watch: PollWatchID?
  private var monitor: SocketMonitorID?

  /// The longest pause before a reconnect.
  ///
  /// The client must notice a restored connection well before the server regards the client's
  /// attendee as dropped. The server regards the attendee as dropped 5 s after the loss. Most of
  /// this time may have passed before the last attempt to connect.
  private static let longestReconnect = Duration.milliseconds(400)

  /// The maximum number of messages that this type receives in one turn of the thread. After this
  /// number, the thread serves its other sockets.
  private static let messagesPerTurn = 256

  /// Opens the socket and starts to connect.
  ///
  /// - Parameter maximumMessageSize: The largest message part the server may send, in bytes. A
  ///   larger part ends the connection.
  /// - Throws: ``ZeroMQError`` if the process has no socket left or the endpoint is invalid.
  init(
    to endpoint: Endpoint, in context: ZMQContext, on thread: SocketThread, maximumMessageSize: Int
  ) throws(ZeroMQError) {
    (self.endpoint, self.context, self.thread) = (endpoint, context, thread)
    self.maximumMessageSize = maximumMessageSize
    retry = RefusalRetry(on: thread)
    try openSocket()
    retry.reopen = { [unowned self] in
      closeSocket()
      try openSocket()
    }
  }

  // MARK: The socket

  private func openSocket() throws(ZeroMQError) {
    let socket = try Socket(.dealer, in: context)
    try socket.set(.maximumMessageSize(maximumMessageSize))
    try socket.set(.linger(.milliseconds(200)))
    try socket.set(.reconnect(initial: .milliseconds(50), maximum: Self.longestReconnect))
    self.socket = consume socket
    monitor = try watchConnection(in: context)
    try connect()
    watch = withSocket { socket in thread.watch(socket) { [unowned self] in receive() } }
  }

  private func watchConnection(in context: ZMQContext) throws(ZeroMQError) -> SocketMonitorID? {
    switch socket {
    case .some(let socket):
      try thread.monitor(socket) { [unowned self] event in observe(event) }
    case .none: nil
    }
  }

  private func connect() throws(ZeroMQError) {
    switch socket {
    case .some(let socket): try socket.connect(to: endpoint)
    case .none: break
    }
  }

  private func closeSocket() {
    if let watch { thread.unwatch(watch) }
    if let monitor { thread.stopMonitoring(monitor) }
    (watch, monitor) = (nil, nil)
    socket = nil
  }

  /// Closes the socket. After this call, the connection calls no closure.
  func close() {
    retry.cancel()
    closeSocket()
    isUp = false
  }

  private func withSocket<Result>(_ body: (borrowing Socket) -> Result) -> Result? {
    switch socket {
    case .some(let socket): body(socket)
    case .none: nil
    }
  }

  // MARK: Messages

  /// Whether the socket can send a message.
  ///
  /// libzmq may accept an undeliverable message before the connection exists and after the loss of
  /// the connection. libzmq reports no events for connections within a process, but the process
  /// cannot lose these connections.
  var canSend: Bool {
    if case .inproc = endpoint.transport { return withSocket { _ in true } ?? false }
    return isUp
  }

  /// - Returns: Whether the socket accepted the frame.
  func send(_ frame: MessageFrame) -> Bool {
    canSend && withSocket { socket in (try? socket.send(frame)) == .sent } ?? false
  }

  /// Sends a copy of borrowed bytes.
  ///
  /// - Returns: Whether the socket accepted the bytes.
  func send(copying message: RawSpan) -> Bool {
    withSocket { socket in (try? socket.send(copying: message)) == .sent } ?? false
  }

  /// Receives waiting messages, and returns whether more messages may wait.
  @discardableResult
  private func receive() -> Bool {
    var message = ReceiveBuffer()
    for _ in 0..<Self.messagesPerTurn {
      guard withSocket({ socket in try? socket.receive(into: &message) }) == true else {
        return false
      }
      onMessage(&message)
    }
    return true
  }

  // MARK: Connects, refusals and losses

  private func observe(_ event: MonitorEvent) {
    switch event {
    case .handshakeSucceeded:
      (refusal, brokenHandshakes) = (nil, 0)
      setUp(true)
    case .handshakeFailed(_, let failure):
      noteRefusal(failure)
    case .disconnected:
      setUp(false)
    default:
      break
    }
  }

  private func setUp(_ isUp: Bool) {
    // libzmq may report the loss of the connection before this client has read the last messages.
    // One of these messages may be an END.
    if !isUp { while receive() {} }
    guard isUp != self.isUp else { return }
    self.isUp = isUp
    onChange(isUp)
  }

  /// Records a failed handshake.
  ///
  /// A single broken handshake is not a refusal: the server may be starting.
  private func noteRefusal(_ failure: MonitorEvent.HandshakeFailure) {
    brokenHandshakes += 1
    retry.note(failure)
    guard let status = ConnectionRefusal(failure, after: brokenHandshakes)?.status(of: endpoint),
      status != refusal
    else { return }
    refusal = status
    onRefusal(status)
  }
}
