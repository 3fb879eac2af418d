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
    try owner.open().serve(presence: self)
  }

  func carryOut(_ effect: MeetingEffect<RosterEffect>) {
    switch effect {
    case .decided(.publish(let event), let meeting):
      metrics.count(event)
      owner.streams[meeting]?.publish(event)
    case .decided(.publishLevels(let update), let meeting):
      metrics.countLevels()
      owner.streams[meeting]?.publish(update)
    case .decided(.demote, _):
      // The meetings have done it themselves.
      break
    case .forget(let meeting):
      owner.streams.end(meeting)
    }
  }

  func beat() { metrics.update(core, waitingRequests: owner.waiting.count) }

  func snapshot(of meeting: MeetingID) -> V1.RosterSnapshot {
    let entries = core.roster(of: meeting)?.entries ?? []
    return owner.streams[meeting]?.snapshot(of: entries)
      ?? V1.RosterSnapshot(meetingID: meeting.text)
  }

  /// Where the roster's stream stands.
  func position(of meeting: MeetingID) -> V1.RosterSnapshot {
    owner.streams[meeting]?.snapshot(of: []) ?? V1.RosterSnapshot(meetingID: meeting.text)
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  var wallClock: UInt64 { WallClock.nowMs }
}
