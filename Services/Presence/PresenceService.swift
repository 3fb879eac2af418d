import Bus
import Logging
import MeetingModel
import Ownership
import ServiceHost
import Wire
import ZeroMQ

/// The presence service: receives requests, lets ``Meetings`` decide, and sends events and answers.
///
/// During recovery a snapshot would be incomplete, so joins and snapshots are answered when it
/// ends.
actor PresenceService: DecidingService {
  let configuration: PresenceConfiguration
  let owner: Owner
  var core: Meetings
  private let metrics: PresenceMetrics

  /// Joins that wait for recovery.
  var joins = LatestCalls<SessionID>()

  /// The joins of this turn of the thread's loop, and the answers that wait until those are
  /// published.
  private var turn = JoinsOfTurn()
  private var whenTold: [() -> Void] = []
  private var endsTurn = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }
  private let thread: SocketThread

  /// Makes a service without opening anything; `run()` opens it.
  ///
  /// - Parameter thread: The service's own thread; it stops with the service.
  init(
    _ configuration: PresenceConfiguration, registry: any Registry, in context: Context,
    on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.thread = thread
    self.metrics = PresenceMetrics(in: metrics)
    core = Meetings(rules: configuration.rules, at: .now)
    owner = Owner(
      configuration.place,
      streams: .init(
        MeetingStream.roster.name, on: Topic.roster(of:), keeping: configuration.replayEvents),
      registry: registry, in: context, on: thread, metrics: self.metrics.owner, logger: logger)
  }

  func open() throws {
    core = Meetings(rules: configuration.rules, at: thread.now)
    joins = LatestCalls()
    (turn, whenTold) = (JoinsOfTurn(), [])
    try owner.open().serve(presence: self)
  }

  func carryOut(_ effect: MeetingEffect<RosterEffect>) {
    switch effect {
    case .decided(.publish(let event), let meeting):
      metrics.count(event)
      if turn.keep(event, of: meeting) { return endTurnLater() }
      tellOfJoins(in: meeting)
      publish(event, in: meeting)
    case .decided(.publishLevels(let update), let meeting):
      metrics.countLevels()
      tellOfJoins(in: meeting)
      owner.streams[meeting]?.publish(update)
    case .decided(.demote, _):
      // ``Meetings`` has already done it.
      break
    case .forget(let meeting):
      tellOfJoins(in: meeting)
      owner.streams.end(meeting)
    }
  }

  // MARK: Joins of one turn

  /// Calls `body` at the end of the turn, after the turn's joins have been published together.
  func afterJoins(_ body: @escaping () -> Void) {
    whenTold.append(body)
    endTurnLater()
  }

  private func endTurnLater() {
    guard !endsTurn else { return }
    endsTurn = true
    _ = thread.schedule(after: .zero) { [self] in assumeIsolated { $0.endTurn() } }
  }

  private func endTurn() {
    endsTurn = false
    for meeting in turn.meetings { tellOfJoins(in: meeting) }
    let waiting = whenTold
    whenTold = []
    for answer in waiting { answer() }
  }

  /// Publishes a meeting's joins of this turn.
  ///
  /// Call it before publishing anything else of the meeting or reading its position.
  private func tellOfJoins(in meeting: MeetingID) {
    if let event = turn.taken(of: meeting) { publish(event, in: meeting) }
  }

  private func publish(_ event: RosterEvent, in meeting: MeetingID) {
    guard let stream = owner.streams[meeting] else { return }
    stream.publish(event)
    stream.isUnattended = core.roster(of: meeting)?.isUnattended ?? true
  }

  // MARK: Snapshots and replay

  func beat() { metrics.update(core, waitingRequests: owner.waiting.count) }

  /// - Parameter isWhole: Whether to include a replica's entries.
  func snapshot(
    of meeting: MeetingID, withAudience isWhole: Bool = false
  ) -> V1.RosterSnapshot {
    tellOfJoins(in: meeting)
    let roster = core.roster(of: meeting)
    let entries = (isWhole ? roster?.everybody : roster?.entries) ?? []
    return owner.streams[meeting]?.snapshot(of: entries)
      ?? V1.RosterSnapshot(meetingID: meeting.text)
  }

  /// Returns the position of the roster's stream, as a snapshot without entries.
  func position(of meeting: MeetingID) -> V1.RosterSnapshot {
    tellOfJoins(in: meeting)
    return owner.streams[meeting]?.snapshot(of: []) ?? V1.RosterSnapshot(meetingID: meeting.text)
  }

  /// Returns a meeting's events since a position; `nil` if they are not available.
  ///
  /// Epoch 0 and sequence 0 are the stream's beginning.
  func events(
    of meeting: MeetingID, epoch: UInt64, after sequence: UInt64
  ) -> [V1.PackedEvent]? {
    tellOfJoins(in: meeting)
    guard let stream = owner.streams[meeting] else { return nil }
    let isBeginning = epoch == 0 && sequence == 0
    return stream.replay(epoch: isBeginning ? stream.epoch : epoch, after: sequence)
  }

  /// The wall clock, in milliseconds since 1970-01-01T00:00:00Z.
  var wallClock: UInt64 { WallClock.nowMs }
}
