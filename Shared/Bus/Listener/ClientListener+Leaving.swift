internal import Glibc
internal import ZMTP
internal import ZeroMQ

// A connection that the listener ends is closed only after its peer has disconnected, so that the
// peer receives the last message, for example the reason of the end. Closing a connection with
// unread bytes discards that message: the peer reads `ECONNRESET` instead (unix(7)), or receives a
// reset (RFC 9293, 3.6.1). And a libzmq socket with `ZMQ_IMMEDIATE` drops what its program has not
// read yet when it sees the end of the connection: even shutdown(2) would be too early.
extension ClientListener {
  /// An ended connection whose input is discarded.
  struct Leaving {
    let descriptor: Int32
    let host: [UInt8]?

    /// When it is closed even if its peer is still connected.
    let deadline: ContinuousClock.Instant

    /// Bytes received since it ended.
    var discarded = 0
  }

  /// The time that a peer has to read its last message.
  private static let patience = Duration.seconds(1)

  /// A peer that sends more than this after the end is closed at once, in bytes.
  private static let mostDiscarded = 1 << 20

  /// The most ended connections at once. Any beyond are closed immediately.
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
