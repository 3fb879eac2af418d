internal import ZeroMQ

/// The guard of a socket's ``SecuredPort``. The guard handles the events of the socket's monitor.
///
/// The guard counts refused peers, and cuts off connections beyond the limit. When the list no
/// longer admits a key, the guard cuts all connections, because libzmq does not report which
/// connection has which key. All calls run on the socket's thread.
final class SecuredPortGuard {
  private let port: SecuredPort
  private let number: UInt16
  private let mostConnections: Int
  private var present: Set<BoundSocketConnection> = []
  private var narrowings: Int

  /// The number of handshakes that this guard cut off. When the monitor reports the end of such a
  /// handshake, the guard does not count the peer again.
  private var cutHandshakes = 0
  private let alarm: ThreadTimer

  /// The interval at which the guard checks whether the list has excluded a key.
  private static let interval = Duration.milliseconds(250)

  /// - Parameter bound: The bound endpoint. It contains the port that the system chose.
  init(_ port: SecuredPort, bound: Endpoint, on thread: SocketThread) {
    self.port = port
    alarm = ThreadTimer(on: thread)
    if case .tcp(_, let number) = bound.transport { self.number = number } else { number = 0 }
    mostConnections = min(port.mostConnections, OpenFileLimit.limit / 4)
    narrowings = port.admission.narrowings
    look()
  }

  /// Processes an event of any connection of the socket, on this port or another port.
  func observe(_ event: MonitorEvent) {
    switch event {
    case .accepted(let endpoint, let connection) where Self.isRemote(endpoint):
      guard present.count < mostConnections else {
        port.admission.count(.crowded)
        cutHandshakes += 1
        return connection.cut(ofPort: number)
      }
      present.insert(connection)
    case .disconnected(let endpoint, let connection) where Self.isRemote(endpoint):
      present.remove(connection)
    case .handshakeFailed(let endpoint, .interrupted) where Self.isRemote(endpoint):
      if cutHandshakes > 0 { cutHandshakes -= 1 } else { port.admission.count(.silent) }
    case .handshakeFailed(let endpoint, let failure) where Self.isRemote(endpoint):
      if let cause = PeerRefusalReason(failure) { port.admission.count(cause) }
    default: break
    }
  }

  func close() { alarm.cancel() }

  private func look() {
    let now = port.admission.narrowings
    if now != narrowings {
      narrowings = now
      for connection in present { connection.cut(ofPort: number) }
    }
    alarm.set(after: Self.interval) { [unowned self] in look() }
  }

  private static func isRemote(_ endpoint: String) -> Bool { endpoint.hasPrefix("tcp://") }
}

extension PeerRefusalReason {
  /// Derives the cause from a failed handshake; `nil` if the authenticator has already counted the
  /// peer.
  fileprivate init?(_ failure: MonitorEvent.HandshakeFailure) {
    switch failure {
    case .interrupted: self = .silent
    case .violatedProtocol where failure.isOtherMechanism: self = .noKey
    case .violatedProtocol where failure.isOtherKey: self = .wrongKey
    case .violatedProtocol: self = .malformed
    case .refused: return nil
    }
  }
}
