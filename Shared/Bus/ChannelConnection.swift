internal import MeetingModel
internal import Wire
internal import ZeroMQ

/// The connection of a ``RequestChannel``: a DEALER that connects by itself, again after a loss,
/// and anew after a refusal. Lives on its ``SocketThread``.
final class ChannelConnection {
  /// Called when the connection stands (true) or is lost (false). What came before a loss has been
  /// handed over by then.
  var onChange: (Bool) -> Void = { _ in }

  /// Called when a refusal begins, or is another one than before.
  var onRefusal: (Status) -> Void = { _ in }

  /// Takes each message that comes.
  var onMessage: (inout ReceivedMessage) -> Void = { _ in }

  /// Where the server is.
  let endpoint: Endpoint

  /// Whether the connection stands now.
  private(set) var isUp = false

  /// Why the other side does not let this one in, as far as that can be told; `nil` while it does,
  /// or nobody is there.
  private(set) var refusal: Status?

  /// Handshakes that came to nothing, one behind the other.
  private var brokenHandshakes = 0

  private let context: Context
  private let thread: SocketThread
  private let maximumMessageSize: Int
  private let retry: RefusalRetry
  private var socket: Socket?
  private var watch: WatchID?
  private var monitor: MonitorID?

  /// A connection that comes back must be noticed well within the time after which an attendee
  /// counts as dropped (5 s, of which a cut may have taken most).
  private static let longestReconnect = Duration.milliseconds(400)

  /// So that one busy socket does not starve the others of its thread.
  private static let messagesPerTurn = 256

  /// Opens the socket and begins to connect.
  ///
  /// - Parameter maximumMessageSize: The largest message part the server may send, in bytes; a
  ///   larger one ends the connection.
  /// - Throws: ``ZeroMQError`` if there is no socket left, or the endpoint is none.
  init(
    to endpoint: Endpoint, in context: Context, on thread: SocketThread, maximumMessageSize: Int
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

  private func watchConnection(in context: Context) throws(ZeroMQError) -> MonitorID? {
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

  /// Closes the socket. Nobody is called any more.
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

  /// Libzmq may take a message that gets nowhere before the connection stands and after its loss;
  /// it tells nothing about connections within a process, which are not lost either.
  var canSend: Bool {
    if case .inproc = endpoint.transport { return withSocket { _ in true } ?? false }
    return isUp
  }

  /// - Returns: Whether the socket took it.
  func send(_ frame: Frame) -> Bool {
    canSend && withSocket { socket in (try? socket.send(frame)) == .sent } ?? false
  }

  /// Sends a copy of lent bytes.
  ///
  /// - Returns: Whether the socket took them.
  func send(copying message: RawSpan) -> Bool {
    withSocket { socket in (try? socket.send(copying: message)) == .sent } ?? false
  }

  /// Returns whether more may wait.
  @discardableResult
  private func receive() -> Bool {
    var message = ReceivedMessage()
    for _ in 0..<Self.messagesPerTurn {
      guard withSocket({ socket in try? socket.receive(into: &message) }) == true else {
        return false
      }
      onMessage(&message)
    }
    return true
  }

  // MARK: Coming about, refusals and losses

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
    // The loss may be told before the last messages were read, and an END may be among them.
    if !isUp { while receive() {} }
    guard isUp != self.isUp else { return }
    self.isUp = isUp
    onChange(isUp)
  }

  /// The other side may be starting: one handshake that breaks off says nothing.
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
