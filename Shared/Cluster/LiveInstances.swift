internal import Bus

/// Decides which instances of several machines are live, by the heartbeats in the store.
///
/// This is a value: callers pass in the rows and the time. An instance is dead if its heartbeat is
/// older than three seconds by the store's clock. A restart of the store is an interruption, and so
/// is a time in which this process cannot reach the store. After an interruption, this type still
/// reports instances as live for a short time if they were live before the interruption. Otherwise
/// the first instance to read the store after a failure would take over all meetings.
struct LiveInstances: Sendable {
  /// A row of the store.
  struct Row: Hashable, Sendable {
    /// The announcement that the instance registered.
    var announcement: InstanceAnnouncement
    var term: UInt64
    var processID: Int32
    var startedAt: UInt64
    var meetings: Int
    var isDraining: Bool

    /// The time of the last heartbeat, in milliseconds since 1970 by the store's clock; 0 if this
    /// process knows that the instance is dead.
    var beatAt: Int64
  }

  /// The content of the store at one time.
  struct Look: Sendable {
    var rows: [Row]

    /// The store's clock, in milliseconds since 1970.
    var now: Int64

    /// The start time of the store, in milliseconds since 1970 by the store's clock.
    var startedAt: Int64
  }

  /// The identity of one run of an instance.
  private struct RunID: Hashable {
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
  private var live: Set<RunID> = []
  private var patienceUntil: ContinuousClock.Instant?

  /// The age above which a heartbeat shows that its instance hangs or cannot reach the store. The
  /// runtime directory has the same limit.
  static let heartbeatLimit: Int64 = 3_000

  /// The longest normal pause between two reads of the store. After a longer pause, other processes
  /// may not have reached the store either.
  static let longestPause = Duration.milliseconds(1_500)

  /// How long instances that were live before a failure may take to send a heartbeat again.
  static let patience = Duration.seconds(4)

  /// Decides which instances are live.
  ///
  /// - Parameter host: The machine of this process.
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
      if isPatient, live.contains(RunID(row)) { return true }
      // If the store is young, it restarted so recently that some instances may not have sent a
      // heartbeat since then.
      guard isYoung, let lastBefore else { return false }
      return lastBefore - row.beatAt <= Self.heartbeatLimit
    }
    live = Set(alive.map(RunID.init))
    return look.rows.map {
      $0.registered(isLive: live.contains(RunID($0)), isHere: $0.announcement.host == host)
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
