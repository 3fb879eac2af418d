internal import Glibc
internal import ZMTP
internal import ZeroMQ

// When the listener ends a connection, it closes the socket only after the peer has disconnected.
// So the peer receives the last message, for example the reason of the end.
//
// If a socket is closed with unread bytes, that message is lost. The peer reads `ECONNRESET`
// instead (unix(7)), or receives a reset (RFC 9293, 3.6.1). Even shutdown(2) would be too early:
// when a libzmq socket with `ZMQ_IMMEDIATE` sees the end of a connection, it drops all messages
// that its program has not read.
extension ClientListener {
  /// An ended connection whose input is discarded.
  struct Leaving {
    let descriptor: Int32
    let host: [UInt8]?

    /// The time at which the connection is closed even if its peer is still connected.
    let deadline: ContinuousClock.Instant

    /// The number of bytes received since the end.
    var discarded = 0
  }

  /// How long a peer has to read its last message.
  private static let patience = Duration.seconds(1)

  /// The most bytes that a peer may send after the end. Then the connection is closed at once.
  private static let mostDiscarded = 1 << 20

  /// The most ended connections at once. Any further connection is closed immediately.
  private static let mostLeaving = 256

  /// Closes a connection, at once or after its peer disconnects.
  func seeOff(_ connection: ClientConnection) {
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
