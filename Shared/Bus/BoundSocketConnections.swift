internal import ZeroMQ

/// The connections of a bound socket, according to its monitor.
///
/// All calls run on the server's thread.
final class BoundSocketConnections {
  /// Called for each event of a connection.
  var onChange: (ConnectionEvent) -> Void = { _ in }

  /// The guard of the socket's secured port; `nil` if the socket has no such port. The guard also
  /// receives the events.
  weak var portWatch: SecuredPortGuard?

  private let thread: SocketThread
  private var present: Set<BoundSocketConnection> = []
  private var monitor: SocketMonitorID?
  private let departures = ConnectionCloseWaits<BoundSocketConnection>()

  init(of socket: borrowing Socket, on thread: SocketThread) throws(ZeroMQError) {
    self.thread = thread
    monitor = try thread.monitor(socket) { [unowned self] event in observe(event) }
  }

  /// Waits, for at most `limit`, until the currently connected peers have disconnected.
  func departure(within limit: Duration) async {
    await departures.wait(for: monitor == nil ? [] : present, within: limit, on: thread)
  }

  /// Stops observing.
  func close() {
    monitor.map(thread.stopMonitoring)
    monitor = nil
    departures.endAll()
  }

  private func observe(_ event: MonitorEvent) {
    switch event {
    case .accepted(_, let connection): present.insert(connection)
    case .disconnected(_, let connection): leave(connection)
    default: break
    }
    portWatch?.observe(event)
    if let event = ConnectionEvent(event) { onChange(event) }
  }

  private func leave(_ connection: BoundSocketConnection) {
    present.remove(connection)
    departures.left(connection)
  }
}
