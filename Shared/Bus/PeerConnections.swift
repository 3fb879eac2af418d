internal import ZeroMQ

/// The connections of a bound socket, as its monitor tells of them: who is there, and when those
/// that were there have left. Lives on its server's thread.
final class PeerConnections {
  /// Hears what becomes of connections.
  var onChange: (ConnectionEvent) -> Void = { _ in }

  /// Hears of them, too, where some come to a secured port.
  weak var portWatch: PortWatch?

  private let thread: SocketThread
  private var present: Set<Connection> = []
  private var monitor: MonitorID?
  private let departures = Departures<Connection>()

  init(of socket: borrowing Socket, on thread: SocketThread) throws(ZeroMQError) {
    self.thread = thread
    monitor = try thread.monitor(socket) { [unowned self] event in observe(event) }
  }

  /// Waits until the peers that are connected now have left, but not longer than `limit`.
  func departure(within limit: Duration) async {
    await departures.wait(for: monitor == nil ? [] : present, within: limit, on: thread)
  }

  /// Hears nothing from here on.
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

  private func leave(_ connection: Connection) {
    present.remove(connection)
    departures.left(connection)
  }
}
