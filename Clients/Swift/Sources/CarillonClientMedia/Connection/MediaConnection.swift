internal import ZeroMQ

/// The connection of a session to `media`. Each frame of the connection carries one RTP or RTCP
/// packet.
///
/// The connection sends its ticket until `media` answers with the same ticket. The connection sends
/// the ticket again after each loss. The connection runs on its socket thread, and ``close()`` ends
/// the connection.
final class MediaConnection {
  /// Called with each packet; the span is valid during the call only.
  var onPacket: ((Span<UInt8>) -> Void)?

  /// Called with `true` when `media` has accepted the ticket, and with `false` after the loss of
  /// the connection.
  var onBoundChange: ((Bool) -> Void)?

  /// Whether `media` has accepted the ticket. Until then, `media` neither accepts nor sends
  /// packets.
  private(set) var isBound = false

  /// The number of packets that the socket did not accept.
  private(set) var droppedPackets = 0

  private let thread: SocketThread
  private let ticket: [UInt8]
  private var socket: Socket?
  private var message = ReceiveBuffer()
  private var watch: PollWatchID?
  private var monitor: SocketMonitorID?
  private let alarm: ThreadTimer

  /// The time after which the connection sends an unanswered ticket again.
  private static let ticketInterval = Duration.seconds(1)

  /// The maximum number of packets that wait in each direction. If a peer stops reading, the socket
  /// drops packets beyond this number, because these packets would arrive too late.
  private static let queue = 1000

  /// The maximum number of packets that the connection receives in one turn of the thread's loop.
  private static let packetsPerTurn = 64

  /// - Throws: `ZeroMQError` when the endpoint is invalid, or the context has no sockets left.
  init(to endpoint: String, ticket: [UInt8], in context: ZMQContext, on thread: SocketThread) throws
  {
    self.thread = thread
    self.ticket = ticket
    alarm = ThreadTimer(on: thread)
    let socket = try Socket(.dealer, in: context)
    try socket.set(.linger(.zero))
    try socket.set(.sendHighWaterMark(Self.queue))
    try socket.set(.receiveHighWaterMark(Self.queue))
    monitor = try thread.monitor(socket) { [weak self] in self?.take($0) }
    try socket.connect(to: Endpoint(endpoint))
    watch = thread.watch(socket) { [weak self] in self?.receive() }
    self.socket = consume socket
    showTicket()
  }

  deinit { assert(socket == nil, "Close a media connection before releasing it.") }

  /// Sends a packet. If the socket is full, drops the packet, because the packet would arrive too
  /// late.
  func send(_ packet: Span<UInt8>) {
    guard isBound else { return }
    let result = try? socket?.send(size: packet.count) { output in
      for index in packet.indices { output.append(packet[index]) }
    }
    if result != .sent { droppedPackets += 1 }
  }

  func close() {
    (onPacket, onBoundChange) = (nil, nil)
    alarm.cancel()
    if let monitor { thread.stopMonitoring(monitor) }
    if let watch { thread.unwatch(watch) }
    (monitor, watch) = (nil, nil)
    socket = nil
    isBound = false
  }

  // MARK: The ticket

  /// Sends the ticket immediately, and then each second until `media` answers with the same ticket.
  private func showTicket() {
    // Without a peer, this send fails. The client sends the ticket again after a second, or when
    // the socket has connected.
    _ = try? socket?.send(MessageFrame(ticket))
    alarm.set(after: Self.ticketInterval) { [weak self] in self?.showTicket() }
  }

  private func take(_ event: MonitorEvent) {
    switch event {
    case .handshakeSucceeded:
      showTicket()
    case .disconnected:
      guard isBound else { return }
      isBound = false
      onBoundChange?(false)
    default:
      break
    }
  }

  private func ticketWasTaken() {
    alarm.cancel()
    guard !isBound else { return }
    isBound = true
    onBoundChange?(true)
  }

  // MARK: Packets

  private func receive() {
    for _ in 0..<Self.packetsPerTurn {
      guard let hasMessage = try? socket?.receive(into: &message), hasMessage else { return }
      for part in 0..<message.partCount where !takePart(part) { return }
    }
  }

  /// - Returns: `false` after the end of the connection.
  private func takePart(_ part: Int) -> Bool {
    let isEcho = message.withBytes(ofPart: part) { bytes in
      bytes.withPacketBytes { packet in
        guard !isTicket(packet) else { return true }
        if isBound { onPacket?(packet) }
        return false
      }
    }
    if isEcho { ticketWasTaken() }
    return socket != nil
  }

  private func isTicket(_ packet: Span<UInt8>) -> Bool {
    guard packet.count == ticket.count else { return false }
    for index in packet.indices where packet[index] != ticket[index] { return false }
    return true
  }
}
