import Bus
import MeetingModel
import ZMTP
import ZeroMQ

/// The socket over which ZeroMQ clients exchange RTP and RTCP with `media`, one packet per frame.
///
/// Each connection is a ``ZeroMQPacketLink``. If a connection accepts no packets, the packets wait
/// in the link. The socket does not disconnect slow receivers. All methods run on the socket's
/// ``SocketThread``.
final class ZeroMQPacketSocket {
  /// Called for each packet. The packet is valid only during the call.
  var onPacket: ((RoutingID, Span<UInt8>) -> Void)?

  /// Called after a connection with a link has closed.
  ///
  /// The socket never calls this closure during a send, because the code that sends is then
  /// changing its own state.
  var onGone: ((RoutingID) -> Void)?

  /// Called with the events of connections.
  var onChange: (ConnectionEvent) -> Void {
    get { listener.onChange }
    set { listener.onChange = newValue }
  }

  private let listener: ClientListener

  /// The links of the connections that have sent a frame.
  private var links: [RoutingID: ZeroMQPacketLink] = [:]

  /// The maximum number of packets in one message.
  private static let packetsPerMessage = 64

  /// The number of bytes that the system may buffer for a receiver: a quarter of a second at 2
  /// Mbit/s.
  ///
  /// All further packets wait in `media`, because `media` can drop these packets and measure their
  /// delay.
  private static let sendBuffer = 65_536

  /// The part of ``sendBuffer`` that may be unsent on a tcp connection, in bytes.
  ///
  /// Further packets wait in `media`, where newer packets can replace them.
  private static let unsent = 16_384

  /// - Parameters:
  ///   - maximumPacketSize: The maximum size in bytes. The socket closes a connection that sends a
  ///     longer frame.
  ///   - security: The security of connections over tcp.
  ///   - timeout: How long a connection may take to send a ticket before the socket closes it.
  /// - Throws: ``ZeroMQError`` if the socket cannot bind an endpoint.
  init(
    at endpoints: [Endpoint], maximumPacketSize: Int, secured security: ZMTPSecurity,
    unauthenticatedLimit timeout: Duration, on thread: SocketThread
  ) throws(ZeroMQError) {
    let limits = ZMTPLimits(
      frameBytes: maximumPacketSize, messageBytes: Self.packetsPerMessage * maximumPacketSize,
      messageFrames: Self.packetsPerMessage)
    var options = ListenerLimits(
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

  /// Returns the link of a connection; `nil` if the connection has closed.
  func link(_ route: RoutingID) -> ZeroMQPacketLink? {
    if let link = links[route] { return link }
    guard let connection = listener.connection(route) else { return nil }
    let link = ZeroMQPacketLink(connection, of: listener)
    links[route] = link
    return link
  }

  func close() {
    listener.close()
    links = [:]
  }
}
