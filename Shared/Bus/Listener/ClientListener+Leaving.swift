internal import Glibc
internal import ZMTP
internal import ZeroMQ

// A connection that is ended from here is closed once its peer has gone, so that the peer hears
// what it was sent last, the reason of its end for one. A connection that is closed with unread
// bytes takes that with it: the peer reads `ECONNRESET` instead (unix(7)), or is sent a reset (RFC
// 9293, 3.6.1). And a socket of libzmq with `ZMQ_IMMEDIATE` drops what its program has not read
// yet when it sees the end of the connection: even shutdown(2) would be too early.
extension ClientListener {
  /// A connection to which nobody listens any more.
  struct Leaving {
    let descriptor: Int32
    let host: [UInt8]?

    /// When it is closed whether or not its peer has gone.
    let deadline: ContinuousClock.Instant

    /// What it sent since, in bytes.
    var discarded = 0
  }

  /// How long a peer may take to read what it was sent last.
  private static let patience = Duration.seconds(1)

  /// Who sends as much although nobody listens is not waited for.
  private static let mostDiscarded = 1 << 20

  /// More than these are closed at once.
  private static let mostLeaving = 256

  /// Lets go of a connection: at once, or when its peer has gone.
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

  /// Reads what comes of a connection to which nobody listens.
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

  /// Closes those whose peers did not go in time.
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
