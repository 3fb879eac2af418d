import Bus

/// A ZeroMQ connection as a link: one packet in each frame.
///
/// The link belongs to the session whose ticket the client sent last. All methods run on the thread
/// of its ``ZeroMQPacketSocket``.
final class ZeroMQPacketLink: PacketLink {
  /// The session of the link; `nil` before the first ticket, and after ``close()``.
  ///
  /// The session and its link reference each other until ``close()``. A weak reference would make
  /// each use of the session slower.
  private(set) var session: MediaServerSession?

  private let connection: ListenerPeerConnection
  private unowned let listener: ClientListener
  private var waiting = PacketQueue()
  private(set) var isOpen = false
  private(set) var droppedPackets: UInt64 = 0

  init(_ connection: ListenerPeerConnection, of listener: ClientListener) {
    (self.connection, self.listener) = (connection, listener)
  }

  var backlog: PacketBacklog {
    guard isOpen else { return PacketBacklog() }
    return PacketBacklog(bytes: connection.untaken + waiting.bytes, packets: waiting.count)
  }

  var acknowledgement: FeedbackFormat? { .congestionFeedback }

  var numbers: LinkRTPParameters { .carillon }

  func send(_ packet: Span<UInt8>) {
    guard isOpen else { return }
    guard !connection.isBehind else { return enqueue(ZMTPFramedMessage(packet)) }
    _ = listener.send(copying: packet, to: connection)
  }

  private func enqueue(_ packet: ZMTPFramedMessage) {
    if waiting.append(packet) { droppedPackets += 1 }
  }

  func close() { (session, isOpen, waiting) = (nil, false, PacketQueue()) }

  // MARK: The socket's part

  /// Starts to carry the session whose ticket the client sent.
  ///
  /// After this call, the connection remains open even if the client sends nothing.
  func open(for session: MediaServerSession) {
    listener.exempt(connection)
    (self.session, isOpen, droppedPackets) = (session, true, 0)
  }

  /// Reports a frame that belongs to no session.
  ///
  /// The listener disconnects a client that sends too many of these frames.
  func refuse() { listener.wasRefused(connection) }

  /// Sends the waiting packets, because the connection accepts packets again.
  func flush() {
    for packet in waiting.packets { _ = listener.send(packet, to: connection) }
    waiting = PacketQueue()
  }

  /// Closes the link of a closed connection.
  ///
  /// ``ZeroMQPacketSocket/onGone`` reports the close to the session.
  func connectionEnded() { (isOpen, waiting) = (false, PacketQueue()) }
}
