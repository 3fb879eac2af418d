internal import ZeroMQ

/// The way of a session's packets: a socket that shows its ticket until media answers with it,
/// after each loss again, and then carries one RTP or RTCP packet a frame.
///
/// Lives on its socket thread. ``close()`` ends it.
final class MediaConnection {
  /// A packet came; the span is lent for the call.
  var onPacket: ((Span<UInt8>) -> Void)?

  /// Media took the ticket, or the connection is lost and it must take it again.
  var onBoundChange: ((Bool) -> Void)?

  /// Whether packets pass.
  private(set) var isBound = false

  /// Packets that could not be handed over.
  private(set) var droppedPackets = 0

  private let thread: SocketThread
  private let ticket: [UInt8]
  private var socket: Socket?
  private var message = ReceivedMessage()
  private var watch: WatchID?
  private var monitor: MonitorID?
  private let alarm: Alarm

  /// How long an echo may take before the ticket is shown again.
  private static let ticketInterval = Duration.seconds(1)

  /// Packets that may wait on either side. A peer that stops reading costs audio that is old
  /// anyway.
  private static let queue = 1000

  /// Packets taken in one turn of the thread's loop.
  private static let packetsPerTurn = 64

  /// - Throws: `ZeroMQError` when the endpoint is none, or the context has no sockets left.
  init(to endpoint: String, ticket: [UInt8], in context: Context, on thread: SocketThread) throws {
    self.thread = thread
    self.ticket = ticket
    alarm = Alarm(on: thread)
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

  /// Sends a packet; one that cannot go at once is dropped, as it would come too late.
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

  /// Shows the ticket, now and each second until its echo has come.
  private func showTicket() {
    // While there is no peer nobody can be shown it; the next round or the handshake will.
    _ = try? socket?.send(Frame(ticket))
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

  /// - Returns: False when the connection was closed meanwhile.
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
