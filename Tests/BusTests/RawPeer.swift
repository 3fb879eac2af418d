import TestSupport
import Wire
import ZeroMQ

/// A bare socket on the test's thread. The socket sends arbitrary frames, and delivers the received
/// frames.
final class RawPeer {
  let messages = Inbox<[MessageFrame]>()
  let events = Inbox<MonitorEvent>()

  /// The unread replies of the last received message.
  private var replies: ArraySlice<[UInt8]> = []
  private let thread: SocketThread
  private var socket: Socket?
  private var watch: PollWatchID?
  private var monitor: SocketMonitorID?

  init(_ kind: Socket.Kind, in context: ZMQContext, on thread: SocketThread) throws {
    self.thread = thread
    let socket = try Socket(kind, in: context)
    try socket.set(.linger(.zero))
    monitor = try thread.monitor(socket) { [unowned self] event in events.put(event) }
    watch = thread.watch(socket) { [unowned self] in receive() }
    self.socket = consume socket
  }

  func connect(to endpoint: Endpoint) throws { try socket?.connect(to: endpoint) }

  func bind(to endpoint: Endpoint) throws { try socket?.bind(to: endpoint) }

  private func receive() {
    while let message = try? socket?.receive() { messages.put(message) }
  }

  /// Waits until the socket can send messages.
  func connected() async {
    _ = await events.first { if case .handshakeSucceeded = $0 { true } else { false } }
  }

  /// Waits for the loss of the connection.
  func disconnected() async {
    _ = await events.first { if case .disconnected = $0 { true } else { false } }
  }

  func send(_ frames: MessageFrame...) throws { try send(frames) }

  func send(_ frames: [MessageFrame]) throws {
    guard try socket?.send(frames) == .sent else { throw Failure.notSent }
  }

  /// Returns the next reply: its header and its packed body.
  func reply() async throws -> (header: V1.ReplyHeader, body: [UInt8]) {
    if replies.isEmpty {
      let message = await messages.next()
      replies = try message[message.count - 1].frames()[...]
    }
    return try read(replies.removeFirst())
  }

  private func read(_ bytes: [UInt8]) throws -> (header: V1.ReplyHeader, body: [UInt8]) {
    let parts = try WireFrame.split(bytes.span.bytes)
    return (
      try V1.ReplyHeader(packed: Array(bytes[parts.header])), Array(bytes[parts.body])
    )
  }

  /// Closes the socket without a message to the peer, as if the process had been killed.
  func close() {
    guard socket != nil else { return }
    if let watch { thread.unwatch(watch) }
    if let monitor { thread.stopMonitoring(monitor) }
    socket = nil
  }

  enum Failure: Error { case notSent }
}
