import Bus
import Logging
import MeetingModel
import Ownership
import ServiceHost
import Wire
import ZeroMQ

/// The service `presence`: receives requests, calls ``PresenceMeetings`` for decisions, and sends
/// events and answers.
///
/// During recovery, a snapshot would be incomplete. So the service answers joins and snapshots only
/// after recovery.
actor PresenceService: DecisionCoreService {
  let configuration: PresenceConfiguration
  let owner: MeetingOwner
  var core: PresenceMeetings
  private let metrics: PresenceMetrics

  /// The joins that wait for the end of recovery.
  var joins = LatestCalls<SessionID>()

  /// The joins of this turn of the event loop. `whenTold` contains the answers that wait for the
  /// publication of these joins.
  private var turn = JoinCoalescer()
  private var whenTold: [() -> Void] = []
  private var endsTurn = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }
  private let thread: SocketThread

  /// Creates the service. ``run()`` opens the service's sockets.
  ///
  /// - Parameter thread: The thread of the service. The thread stops with the service.
  init(
    _ configuration: PresenceConfiguration, registry: any Registry, in context: ZMQContext,
    on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.thread = thread
    self.metrics = PresenceMetrics(in: metrics)
    core = PresenceMeetings(rules: configuration.rules, at: .now)
    owner = MeetingOwner(
      configuration.place,
      streams: .init(
        MeetingStream.roster.name, on: EventTopic.roster(of:), keeping: configuration.replayEvents),
      registry: registry, in: context, on: thread, metrics: self.metrics.owner, logger: logger)
  }

  func open() throws {
    core = PresenceMeetings(rules: configuration.rules, at: thread.now)
    joins = LatestCalls()
    (turn, whenTold) = (JoinCoalescer(), [])
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
      // ``PresenceMeetings`` has already carried out the demotion.
      break
    case .forget(let meeting):
      tellOfJoins(in: meeting)
      owner.streams.end(meeting)
    }
  }

  // MARK: Joins of one turn

  /// Calls `body` at the end of the turn, after the service has published all joins of the turn
  /// together.
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
  /// Call this method before publishing another event of the meeting, and before reading the
  /// position of the meeting's stream.
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

  /// - Parameter isWhole: Whether to include the entries of a replica.
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

  /// Returns a meeting's events after a position; `nil` if the stream no longer keeps them.
  ///
  /// Epoch 0 and sequence 0 mean the beginning of the stream.
  func events(
    of meeting: MeetingID, epoch: UInt64, after sequence: UInt64
  ) -> [V1.PackedEvent]? {
    tellOfJoins(in: meeting)
    guard let stream = owner.streams[meeting] else { return nil }
    let isBeginning = epoch == 0 && sequence == 0
    return stream.replay(epoch: isBeginning ? stream.epoch : epoch, after: sequence)
  }

  /// The time of day, in milliseconds since 1970-01-01T00:00:00Z.
  var wallClock: UInt64 { WallClock.nowMs }
}
