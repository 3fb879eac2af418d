internal import ZeroMQ

/// A timer that reopens a socket after a refusal.
///
/// libzmq does not reconnect after a refusal, but the server may change its list. All calls run on
/// its ``SocketThread``.
final class RefusalRetry {
  /// Closes the socket and opens another socket. If this closure throws an error, the timer tries
  /// again.
  var reopen: () throws -> Void = {}

  private let alarm: ThreadTimer

  /// The pause before another attempt.
  private static let pause = Duration.seconds(1)

  init(on thread: SocketThread) { alarm = ThreadTimer(on: thread) }

  /// Schedules a retry if a handshake's failure is final.
  func note(_ failure: MonitorEvent.HandshakeFailure) {
    if failure.isFinal { arm() }
  }

  func cancel() { alarm.cancel() }

  private func arm() {
    alarm.setUnlessSet(after: Self.pause) { [unowned self] in
      do { try reopen() } catch { arm() }
    }
  }
}
