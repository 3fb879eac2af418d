internal import Bus

/// Which instances of several machines live, judged by their heartbeats as the store has them.
///
/// A value: what the store says and when goes in. An instance whose heartbeat is older than three
/// seconds by the store's clock is gone, unless nobody could have beaten: for a while after the
/// store was started, or after it could not be asked from here, those that lived before it went
/// away still do. Otherwise all who ask first after a failure would take everything over.
struct LiveInstances: Sendable {
  /// A row of the store.
  struct Row: Hashable, Sendable {
    /// What the instance said of itself.
    var announcement: InstanceAnnouncement
    var term: UInt64
    var processID: Int32
    var startedAt: UInt64
    var meetings: Int
    var isDraining: Bool

    /// When it last beat, in milliseconds since 1970 by the store's clock; 0: it is known to have
    /// died.
    var beatAt: Int64
  }

  /// What the store said at one time.
  struct Look: Sendable {
    var rows: [Row]

    /// The store's clock, in milliseconds since 1970.
    var now: Int64

    /// When the store was started, by the same clock.
    var startedAt: Int64
  }

  /// Identifies a life of an instance.
  private struct Life: Hashable {
    let service: String
    let instance: String
    let term: UInt64

    init(_ row: Row) {
      service = row.announcement.service
      instance = row.announcement.instance
      term = row.term
    }
  }

  private var lastLook: ContinuousClock.Instant?
  private var live: Set<Life> = []
  private var patienceUntil: ContinuousClock.Instant?

  /// A heartbeat that is older says that its instance hangs, or cannot reach the store. As in the
  /// runtime directory.
  static let heartbeatLimit: Int64 = 3_000

  /// A store that was not asked for so long may have been away for others, too.
  static let longestPause = Duration.milliseconds(1_500)

  /// How long those that lived before it was away have to beat again.
  static let patience = Duration.seconds(4)

  /// Takes in what the store says.
  ///
  /// - Parameter host: Where whoever looks is.
  /// - Returns: All instances, live or not, in the store's order.
  mutating func take(
    _ look: Look, on host: String, at now: ContinuousClock.Instant
  ) -> [RegisteredInstance] {
    if let lastLook, now - lastLook > Self.longestPause { patienceUntil = now + Self.patience }
    lastLook = now
    let isPatient = patienceUntil.map { now < $0 } ?? false
    let lastBefore = look.rows.map(\.beatAt).filter { $0 < look.startedAt }.max()
    let isYoung = look.now - look.startedAt < Self.patience.milliseconds
    let alive = look.rows.filter { row in
      guard row.beatAt > 0 else { return false }
      if look.now - row.beatAt <= Self.heartbeatLimit { return true }
      if isPatient, live.contains(Life(row)) { return true }
      // The store was away, and has been back too shortly for all to have beaten.
      guard isYoung, let lastBefore else { return false }
      return lastBefore - row.beatAt <= Self.heartbeatLimit
    }
    live = Set(alive.map(Life.init))
    return look.rows.map {
      $0.registered(isLive: live.contains(Life($0)), isHere: $0.announcement.host == host)
    }
  }
}

extension LiveInstances.Row {
  fileprivate func registered(isLive: Bool, isHere: Bool) -> RegisteredInstance {
    var registered = RegisteredInstance(
      announcement, term: term, processID: processID, startedAt: startedAt, isLive: isLive,
      isHere: isHere)
    registered.isDraining = isDraining
    registered.meetings = meetings
    return registered
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
