import Bus
import MeetingModel
import ZMTP
import ZeroMQ

/// The socket at which clients exchange RTP and RTCP with media over ZeroMQ, one packet per frame.
///
/// Each connection is a ``SocketLink``. Packets that a connection does not accept wait in the
/// link. No receiver is disconnected for being slow. Lives on its ``SocketThread``.
final class PacketSocket {
  /// Called for each packet, which is borrowed during the call.
  var onPacket: ((Route, Span<UInt8>) -> Void)?

  /// Called when a connection with a link has ended.
  ///
  /// Never called during a send, because the sender is then within a change of its own state.
  var onGone: ((Route) -> Void)?

  /// Called with the events of connections.
  var onChange: (ConnectionEvent) -> Void {
    get { listener.onChange }
    set { listener.onChange = newValue }
  }

  private let listener: ClientListener

  /// The links of the connections that have sent a frame.
  private var links: [Route: SocketLink] = [:]

  /// The maximum number of packets in one message.
  private static let packetsPerMessage = 64

  /// The data that the system may hold for a receiver, in bytes: a quarter of a second at 2
  /// Mbit/s.
  ///
  /// Longer queues belong in media, where packets can be dropped and the delay is measured.
  private static let sendBuffer = 65_536

  /// The part of it that may be unsent on a tcp connection.
  ///
  /// Further packets wait in media, where newer ones can displace them.
  private static let unsent = 16_384

  /// - Parameters:
  ///   - maximumPacketSize: The maximum size in bytes. A longer frame closes its connection.
  ///   - security: The security of connections over tcp.
  ///   - timeout: The time after which a connection without a ticket is closed.
  /// - Throws: ``ZeroMQError`` if an endpoint is taken or cannot be bound.
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

  /// Returns the link of a connection, or `nil` if the connection has ended.
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
