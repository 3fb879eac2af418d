internal import Glibc
internal import ZMTP
internal import ZeroMQ

// When the listener ends a connection, it closes the socket only after the peer has disconnected.
// So the peer receives the last message, for example the reason for the end.
//
// If the listener closed a socket with unread bytes, the kernel would drop the last message. The
// peer would read `ECONNRESET` instead (unix(7)), or receive a reset (RFC 9293, 3.6.1). Even
// shutdown(2) would be too early. As soon as the connection ends, a libzmq socket with
// `ZMQ_IMMEDIATE` drops all messages that its program has not read.
extension ClientListener {
  /// A connection that the listener has ended, but not closed. The listener discards the
  /// connection's input.
  struct Leaving {
    let descriptor: Int32
    let host: [UInt8]?

    /// The time at which the listener closes the socket even if the peer is still connected.
    let deadline: ContinuousClock.Instant

    /// The number of bytes that the peer has sent since the listener ended the connection.
    var discarded = 0
  }

  /// How long a peer may take to read the listener's last message, and to disconnect.
  private static let patience = Duration.seconds(1)

  /// The maximum number of bytes that a peer may send after the listener has ended the connection.
  ///
  /// If the peer sends more bytes, the listener closes the socket immediately.
  private static let mostDiscarded = 1 << 20

  /// The maximum number of ended connections whose sockets are still open.
  ///
  /// When a further connection ends, the listener closes that connection's socket immediately.
  private static let mostLeaving = 256

  /// Closes a connection, immediately or after its peer disconnects.
  func seeOff(_ connection: ListenerPeerConnection) {
    let (number, descriptor) = (connection.number, connection.descriptor)
    let leaves = Leaving(
      descriptor: descriptor, host: connection.host, deadline: thread.now + Self.patience)
    guard connection.ending != .ended, connection.zmtp.peer != nil,
      leaving.count < Self.mostLeaving
    else { return release(number, leaves) }
    epoll.modify(descriptor, number, .read)
    leaving[number] = leaves
    armSweep()
  }

  /// Reads and discards the input of an ended connection.
  func discard(_ number: UInt64, through room: inout [UInt8]) {
    guard var connection = leaving[number] else { return }
    while connection.discarded <= Self.mostDiscarded {
      let count = unsafe recv(connection.descriptor, &room, room.count, 0)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        leaving[number] = connection
        return
      }
      guard count > 0 else { break }
      connection.discarded += count
    }
    release(number, connection)
  }

  /// Closes ended connections whose peers did not disconnect in time.
  func closeOverdue(at now: ContinuousClock.Instant) {
    for (number, connection) in leaving where connection.deadline <= now {
      release(number, connection)
    }
  }

  private func release(_ number: UInt64, _ connection: Leaving) {
    leaving[number] = nil
    epoll.remove(connection.descriptor)
    ListeningSocket.close(connection.descriptor)
    isOutOfFiles = false
    if let host = connection.host { forget(host) }
    departures.left(number)
  }
}
