import Bus
import Logging
import MeetingModel
import Ownership
import ServiceHost
import Wire
import ZeroMQ

/// The rim of presence: requests in, the decision of ``Meetings``, events and answers out.
///
/// What a snapshot would show during recovery is not the whole roster, so joins and snapshots are
/// answered when it is over.
actor PresenceService: DecidingService {
  let configuration: PresenceConfiguration
  let owner: Owner
  var core: Meetings
  private let metrics: PresenceMetrics

  /// Joins that wait for recovery.
  var joins = LatestCalls<SessionID>()

  /// Who came in this turn of the thread's loop, and who waits for everybody to be told of them.
  private var turn = JoinsOfTurn()
  private var whenTold: [() -> Void] = []
  private var endsTurn = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }
  private let thread: SocketThread

  /// Opens nothing yet: `run()` does.
  ///
  /// - Parameter thread: Its own; it stops with the service.
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
      // The meetings have done it themselves.
      break
    case .forget(let meeting):
      tellOfJoins(in: meeting)
      owner.streams.end(meeting)
    }
  }

  // MARK: Joins of one turn

  /// Calls `body` at the end of the turn, when those who came in it have been published together.
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

  /// Publishes who came to a meeting in this turn. What is said of the meeting next, and whoever is
  /// told where its stream stands, comes behind that.
  private func tellOfJoins(in meeting: MeetingID) {
    if let event = turn.taken(of: meeting) { publish(event, in: meeting) }
  }

  private func publish(_ event: RosterEvent, in meeting: MeetingID) {
    guard let stream = owner.streams[meeting] else { return }
    stream.publish(event)
    stream.isUnattended = core.roster(of: meeting)?.isUnattended ?? true
  }

  // MARK: What others are shown

  func beat() { metrics.update(core, waitingRequests: owner.waiting.count) }

  /// - Parameter isWhole: A replica's entries too.
  func snapshot(
    of meeting: MeetingID, withAudience isWhole: Bool = false
  ) -> V1.RosterSnapshot {
    tellOfJoins(in: meeting)
    let roster = core.roster(of: meeting)
    let entries = (isWhole ? roster?.everybody : roster?.entries) ?? []
    return owner.streams[meeting]?.snapshot(of: entries)
      ?? V1.RosterSnapshot(meetingID: meeting.text)
  }

  /// Where the roster's stream stands.
  func position(of meeting: MeetingID) -> V1.RosterSnapshot {
    tellOfJoins(in: meeting)
    return owner.streams[meeting]?.snapshot(of: []) ?? V1.RosterSnapshot(meetingID: meeting.text)
  }

  /// What a meeting's stream has had since a position; `nil` if that cannot be told. Epoch 0 and
  /// sequence 0 are its beginning.
  func events(
    of meeting: MeetingID, epoch: UInt64, after sequence: UInt64
  ) -> [V1.PackedEvent]? {
    tellOfJoins(in: meeting)
    guard let stream = owner.streams[meeting] else { return nil }
    let isBeginning = epoch == 0 && sequence == 0
    return stream.replay(epoch: isBeginning ? stream.epoch : epoch, after: sequence)
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  var wallClock: UInt64 { WallClock.nowMs }
}
