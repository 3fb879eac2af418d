import Bus
import MeetingModel
import ZMTP
import ZeroMQ

/// Where clients exchange RTP and RTCP with media: one packet in each frame.
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

  /// Hears what becomes of connections.
  var onChange: (ConnectionEvent) -> Void {
    get { listener.onChange }
    set { listener.onChange = newValue }
  }

  private let listener: ClientListener
  private var waiting: [Route: PacketQueue] = [:]

  /// Packets in one message.
  private static let packetsPerMessage = 64

  /// What the system may hold for a receiver, in bytes: a quarter of a second at 2 Mbit/s. Longer
  /// queues belong here, where packets can be dropped and their delay is seen.
  private static let sendBuffer = 65_536

  /// What of it may not have been sent on a tcp connection: what is sent next waits here, and can
  /// be overtaken.
  private static let unsent = 16_384

  /// - Parameters:
  ///   - maximumPacketSize: In bytes; a longer frame ends its connection.
  ///   - security: How connections over tcp are secured.
  ///   - timeout: How long a connection may belong to nobody; then it is ended.
  /// - Throws: ``ZeroMQError`` when an endpoint is taken or cannot be bound.
  init(
    at endpoints: [Endpoint], maximumPacketSize: Int, secured security: ZMTPSecurity,
    unauthenticatedLimit timeout: Duration, on thread: SocketThread
  ) throws(ZeroMQError) {
    let limits = ZMTPLimits(
      frameBytes: maximumPacketSize, messageBytes: Self.packetsPerMessage * maximumPacketSize,
      messageFrames: Self.packetsPerMessage)
    var options = ListenerOptions(
      limits: limits, idleLimit: timeout, sendBuffer: Self.sendBuffer, unsent: Self.unsent)
    options.security = security
    listener = try ClientListener(at: endpoints, on: thread, options: options)
    listener.onFrame = { [unowned self] connection, packet in onPacket?(connection.route, packet) }
    listener.onCaughtUp = { [unowned self] connection in flush(connection) }
    listener.onClose = { [unowned self] connection in
      waiting[connection.route] = nil
      onGone?(connection.route)
    }
  }

  /// The connection belongs to somebody: it may be silent.
  func welcome(_ route: Route) { listener.connection(route).map(listener.exempt) }

  /// What the connection has sent belongs to nobody: one that goes on like that is ended.
  func refuse(_ route: Route) { listener.connection(route).map(listener.wasRefused) }

  /// What was sent and a receiver has not taken, in bytes: what waits here, or the system holds.
  func backlog(of route: Route) -> Int {
    guard let connection = listener.connection(route) else { return 0 }
    return connection.untaken + (waiting.isEmpty ? 0 : waiting[route]?.bytes ?? 0)
  }

  /// Sends a packet at the end of this turn.
  func send(copying packet: Span<UInt8>, to route: Route) {
    guard let connection = listener.connection(route) else { return }
    guard !connection.isBehind else { return enqueue(FramedMessage(packet), for: route) }
    _ = listener.send(copying: packet, to: connection)
  }

  /// Nothing that waits for this receiver is sent any more.
  func forget(_ route: Route) { waiting[route] = nil }

  func close() {
    listener.close()
    waiting = [:]
  }

  private func flush(_ connection: ClientConnection) {
    guard let queue = waiting.removeValue(forKey: connection.route) else { return }
    for packet in queue.packets { _ = listener.send(packet, to: connection) }
  }

  private func enqueue(_ packet: FramedMessage, for route: Route) {
    if waiting[route, default: PacketQueue()].append(packet) { onDrop?(route) }
  }
}
