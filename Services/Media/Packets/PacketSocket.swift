import Bus
import MeetingModel
import ZMTP
import ZeroMQ

/// Where clients exchange RTP and RTCP with media over ZeroMQ: one packet in each frame.
///
/// Each connection is a ``SocketLink``. What a connection does not take waits there; no receiver is
/// ever disconnected for being slow. Lives on its ``SocketThread``.
final class PacketSocket {
  /// Called for each packet, which is lent for the call.
  var onPacket: ((Route, Span<UInt8>) -> Void)?

  /// Called when a connection with a link has ended: never while something is sent, because who
  /// sends is in the midst of its own state.
  var onGone: ((Route) -> Void)?

  /// Hears what becomes of connections.
  var onChange: (ConnectionEvent) -> Void {
    get { listener.onChange }
    set { listener.onChange = newValue }
  }

  private let listener: ClientListener

  /// Connections that have sent something.
  private var links: [Route: SocketLink] = [:]

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
    listener.onCaughtUp = { [unowned self] connection in links[connection.route]?.flush() }
    listener.onClose = { [unowned self] connection in
      guard let link = links[connection.route] else { return }
      link.connectionEnded()
      onGone?(connection.route)
      links[connection.route] = nil
    }
  }

  /// The link that a connection is; `nil`: the connection has ended.
  func link(_ route: Route) -> SocketLink? {
    if let link = links[route] { return link }
    guard let connection = listener.connection(route) else { return nil }
    let link = SocketLink(connection, of: listener)
    links[route] = link
    return link
  }

  func close() {
    listener.close()
    links = [:]
  }
}
