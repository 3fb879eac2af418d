import Bus
import Logging
import MeetingModel
import Ownership
import ServiceHost
import Wire
import ZeroMQ

/// The service `video-tiles`: receives requests, calls ``TileBoards`` for decisions, and sends
/// events, answers and decisions for `media`.
///
/// During recovery, boards are incomplete. So snapshots, decisions and everything that depends on
/// limits wait for the end of recovery.
actor VideoTilesService: DecisionCoreService {
  let configuration: VideoTilesConfiguration
  let owner: MeetingOwner
  var core: TileBoards
  private let thread: SocketThread
  private let metrics: VideoTilesMetrics
  private var watchers: [MeetingID: [UInt64: TileDecisionStream]] = [:]
  private var lastWatcher: UInt64 = 0

  /// The joins that wait for the end of recovery.
  var joins = LatestCalls<SessionID>()

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Creates the service. ``run()`` opens the service's sockets.
  ///
  /// - Parameter thread: The thread of the service. The thread stops with the service.
  init(
    _ configuration: VideoTilesConfiguration, registry: any Registry, in context: ZMQContext,
    on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.thread = thread
    self.metrics = VideoTilesMetrics(in: metrics)
    core = TileBoards(rules: configuration.rules, term: 1, seed: 0, at: .now)
    owner = MeetingOwner(
      configuration.place,
      streams: .init(
        MeetingStream.tiles.name, on: EventTopic.tiles(of:), keeping: configuration.replayEvents),
      registry: registry, in: context, on: thread, metrics: self.metrics.owner, logger: logger)
  }

  func open() throws {
    core = TileBoards(
      rules: configuration.rules, term: term, seed: .random(in: .min ... .max), at: thread.now)
    joins = LatestCalls()
    try owner.open().serve(videoTiles: self)
  }

  func close() { watchers = [:] }

  func carryOut(_ effect: MeetingEffect<TileEffect>) {
    switch effect {
    case .decided(.publish(let event, let audience), let meeting):
      metrics.count(event)
      owner.streams[meeting]?.publish(event, for: audience)
    case .decided(.forward(let change), let meeting):
      metrics.count(change)
      for watcher in watchers[meeting, default: [:]].values { watcher.send(change) }
    case .decided(.end, let meeting):
      for watcher in watchers.removeValue(forKey: meeting)?.values ?? [:].values {
        watcher.end()
      }
    case .forget(let meeting):
      owner.streams.end(meeting)
    }
  }

  func didDecide(since start: ContinuousClock.Instant) { metrics.countDecision(since: start) }

  func didRecover() {
    for (meeting, watchers) in watchers {
      for watcher in watchers.values where watcher.state == .waiting {
        watcher.sendEverything(forwarding(of: meeting))
      }
    }
  }

  func beat() {
    catchUpWatchers()
    metrics.update(
      core, waitingRequests: owner.waiting.count,
      watchers: watchers.values.reduce(0) { $0 + $1.count })
  }

  /// Returns the board of a meeting, with the tiles of these receivers. `nil` means all receivers.
  func snapshot(
    of meeting: MeetingID, receivers: Set<ParticipantID>? = nil
  ) -> V1.TileBoardSnapshot {
    guard let board = core.board(of: meeting), let stream = owner.streams[meeting] else {
      return V1.TileBoardSnapshot(meetingID: meeting.text)
    }
    return stream.snapshot(of: board, for: receivers)
  }

  // MARK: Decisions for media

  /// Sends all decisions of a meeting on a stream, and then each change.
  func watch(_ meeting: MeetingID, on stream: ServerStream<V1.ForwardingUpdate>) {
    guard core.board(of: meeting)?.hasEnded != true else { return stream.end() }
    lastWatcher += 1
    let number = lastWatcher
    stream.onCancel = { [unowned self] in removeWatcher(number, of: meeting) }
    let watcher = TileDecisionStream(stream)
    watchers[meeting, default: [:]][number] = watcher
    if !core.isRecovering(meeting) { watcher.sendEverything(forwarding(of: meeting)) }
  }

  private func removeWatcher(_ number: UInt64, of meeting: MeetingID) {
    watchers[meeting]?[number] = nil
    if watchers[meeting]?.isEmpty == true { watchers[meeting] = nil }
  }

  private func forwarding(of meeting: MeetingID) -> ForwardingChange {
    core.board(of: meeting)?.forwarding ?? ForwardingChange()
  }

  /// Sends the complete state again to watchers that missed items. Drops watchers that accept no
  /// items.
  private func catchUpWatchers() {
    for (meeting, watchers) in watchers {
      for (number, watcher) in watchers {
        guard case .behind(let failures) = watcher.state else { continue }
        if failures < Self.mostFailures {
          watcher.sendEverything(forwarding(of: meeting))
        } else {
          removeWatcher(number, of: meeting)
          watcher.end()
        }
      }
    }
  }

  /// The number of consecutive failed items after which the service drops a watcher.
  private static let mostFailures = 30
}
