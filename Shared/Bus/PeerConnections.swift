internal import ZeroMQ

/// The connections of a bound socket, as its monitor tells of them: who is there, who is of no use,
/// and when those that were there have left. Lives on its server's thread.
final class PeerConnections {
  /// Hears what becomes of connections.
  var onChange: (ConnectionEvent) -> Void = { _ in }

  /// Whether somebody must say by which connection requests come.
  var areWatched: Bool { idle != nil }

  private let thread: SocketThread
  private var present: Set<Connection> = []
  private var idle: IdleConnections?
  private var sweep: TimerID?
  private var monitor: MonitorID?
  private var departures: [Departure] = []

  /// Somebody waits until those that were connected when it began to have left.
  private struct Departure {
    var remaining: Set<Connection>
    let continuation: CheckedContinuation<Void, Never>
    let timer: TimerID
  }

  /// - Parameter idle: Connections that must be of use now and then, where that is asked of them.
  init(of socket: borrowing Socket, on thread: SocketThread, idle: IdleConnections?)
    throws(ZeroMQError)
  {
    (self.thread, self.idle) = (thread, idle)
    monitor = try thread.monitor(socket) { [unowned self] event in observe(event) }
    armSweep()
  }

  /// A request that came by the connection is served.
  func wasUsed(_ connection: Connection) { idle?.wasUsed(connection, at: thread.now) }

  /// Waits until the peers that are connected now have left, but not longer than `limit`.
  func departure(within limit: Duration) async {
    // Looked at in there: to call it may suspend, and the last peer leave meanwhile.
    await withCheckedContinuation { continuation in
      guard !present.isEmpty, monitor != nil else { return continuation.resume() }
      let timer = thread.schedule(after: limit) { [unowned self] in endDepartures { _ in true } }
      departures.append(Departure(remaining: present, continuation: continuation, timer: timer))
    }
  }

  /// Hears nothing from here on.
  func close() {
    sweep.map(thread.cancel)
    monitor.map(thread.stopMonitoring)
    (sweep, monitor) = (nil, nil)
    endDepartures { _ in true }
  }

  private func observe(_ event: MonitorEvent) {
    switch event {
    case .accepted(_, let connection): present.insert(connection)
    case .disconnected(_, let connection): noteDeparture(of: connection)
    default: break
    }
    idle?.observe(event, at: thread.now)
    if let event = ConnectionEvent(event) { onChange(event) }
  }

  private func noteDeparture(of connection: Connection) {
    present.remove(connection)
    for index in departures.indices { departures[index].remaining.remove(connection) }
    endDepartures { $0.remaining.isEmpty }
  }

  private func endDepartures(where isOver: (Departure) -> Bool) {
    let ended = departures.filter(isOver)
    departures.removeAll(where: isOver)
    for departure in ended {
      thread.cancel(departure.timer)
      departure.continuation.resume()
    }
  }

  private func armSweep() {
    guard let interval = idle?.interval else { return }
    sweep = thread.schedule(after: interval) { [unowned self] in
      for _ in 0..<(idle?.hangUp(at: thread.now) ?? 0) { onChange(.idle) }
      armSweep()
    }
  }
}
