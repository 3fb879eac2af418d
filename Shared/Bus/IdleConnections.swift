internal import MeetingModel
public import ZeroMQ

/// The connections of a bound socket that have to be of use now and then, and when they were last.
///
/// A router names the connection that a message came by; see ``ZeroMQ/Connection``. While this
/// process stands still it reads from nobody, so that such time counts as nobody's idleness.
public struct IdleConnections {
  private let limit: Duration
  private let endpoints: [Endpoint]
  private var lastUse: [Connection: ContinuousClock.Instant] = [:]

  /// Begins anew with the first connection: nobody has to look before.
  private var stalls: StallWatch?

  /// Those that may be idle although nobody has said yet that they were accepted: on a busy thread
  /// the first message of a connection can be read before the monitor's events are.
  private var exemptedEarly: Set<Connection> = []

  /// - Parameters:
  ///   - limit: How long a connection may be of no use.
  ///   - endpoints: Where the socket is bound.
  public init(limit: Duration, at endpoints: [Endpoint]) {
    (self.limit, self.endpoints) = (limit, endpoints)
  }

  /// Whether no connection has to be watched.
  public var isEmpty: Bool { lastUse.isEmpty }

  /// How often to call ``hangUp(at:)`` while there are connections to watch.
  public var interval: Duration { min(limit / 2, .seconds(1)) }

  /// Takes in what the socket's monitor says.
  public mutating func observe(_ event: MonitorEvent, at now: ContinuousClock.Instant) {
    switch event {
    case .accepted(_, let connection):
      if exemptedEarly.remove(connection) == nil { wasUsed(connection, at: now) }
    case .disconnected(_, let connection):
      lastUse[connection] = nil
      exemptedEarly.remove(connection)
    default: break
    }
  }

  /// The connection was of use: its time begins anew.
  public mutating func wasUsed(_ connection: Connection, at now: ContinuousClock.Instant) {
    if lastUse.isEmpty { stalls = StallWatch(interval: interval, at: now) }
    lastUse[connection] = now
  }

  /// The connection may be idle from now on.
  public mutating func exempt(_ connection: Connection) {
    if lastUse.removeValue(forKey: connection) == nil { exemptedEarly.insert(connection) }
  }

  /// Ends those that were of no use for too long. If this call comes late, the process stood still,
  /// and all have that much longer.
  ///
  /// - Returns: How many were ended.
  public mutating func hangUp(at now: ContinuousClock.Instant) -> Int {
    excuseSilence(of: stalls?.look(at: now) ?? .zero, at: now)
    let idle = lastUse.filter { now - $0.value > limit }.keys
    for connection in idle { lastUse[connection] = nil }
    return idle.count { $0.hangUp(at: endpoints) }
  }

  private mutating func excuseSilence(of stall: Duration, at now: ContinuousClock.Instant) {
    guard stall > .zero else { return }
    lastUse = lastUse.mapValues { min($0 + stall, now) }
  }
}
