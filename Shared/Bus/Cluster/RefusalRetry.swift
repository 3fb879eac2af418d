internal import ZeroMQ

/// Has a socket opened anew that libzmq has given up: a refusal ends its attempts, and the other
/// side may change its mind. Lives on its ``SocketThread``.
final class RefusalRetry {
  /// Closes the socket and opens another one. What it throws is tried again.
  var reopen: () throws -> Void = {}

  private let alarm: Alarm

  /// How long whoever was refused waits before it asks again.
  private static let pause = Duration.seconds(1)

  init(on thread: SocketThread) { alarm = Alarm(on: thread) }

  /// Takes in why a handshake came to nothing.
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
