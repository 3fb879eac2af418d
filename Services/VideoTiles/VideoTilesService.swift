import Bus
import Foundation
import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Wire
import ZeroMQ

/// The rim of video-tiles: requests in, the decision of ``Boards``, events, decisions for media and
/// answers out.
///
/// It lives on its own ``SocketThread`` and decides there inline; only the registry's files are
/// touched elsewhere. What is shown during recovery is not the whole board, so snapshots, decisions
/// and whatever depends on the limits wait until it is over.
actor VideoTilesService {
  let configuration: VideoTilesConfiguration
  private let registry: any Registry
  private let context: Context
  private let thread: SocketThread
  private let metrics: VideoTilesMetrics
  private let logger: Logger

  private(set) var boards: Boards
  private(set) var term: UInt64 = 0
  private var server: RequestServer?
  private var publisher: EventPublisher?
  private var streams: [MeetingID: EventStream] = [:]
  private var epochs = EpochSource()
  private var timer: (id: TimerID, deadline: ContinuousClock.Instant)?
  private var hasSettled = false
  private let waiting = WaitingCalls()
  private var watchers: [MeetingID: [UInt64: DecisionWatcher]] = [:]
  private var lastWatcher: UInt64 = 0

  /// By which connection each gateway called last.
  var routes: [GatewayName: Route] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Opens nothing yet: ``run()`` does.
  ///
  /// - Parameter thread: Its own; it stops with the service.
  init(
    _ configuration: VideoTilesConfiguration, registry: any Registry, in context: Context,
    on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.registry = registry
    self.context = context
    self.thread = thread
    self.metrics = VideoTilesMetrics(in: metrics)
    self.logger = logger
    boards = Boards(rules: configuration.rules, term: 1, seed: 0, at: .now)
  }

  isolated deinit { assert(server == nil, "Let the service's run end before releasing it.") }

  // MARK: Opening and closing

  private func open(term: UInt64) throws(ZeroMQError) {
    self.term = term
    hasSettled = false
    boards = Boards(
      rules: configuration.rules, term: term, seed: .random(in: .min ... .max), at: thread.now)
    let publisher = try EventPublisher(
      at: configuration.events, instance: configuration.instance, term: term, in: context,
      on: thread)
    self.publisher = publisher
    let server = try RequestServer(at: [configuration.requests], in: context, on: thread)
    server.observer = metrics.requests
    server.serve(videoTiles: self)
    self.server = server
    arm()
    logger.notice(
      "Serving video tiles",
      metadata: [
        LogKey.endpoint: "\(configuration.requests)", LogKey.term: "\(term)",
      ])
  }

  private func close() {
    if let timer { thread.cancel(timer.id) }
    timer = nil
    server?.close()
    server = nil
    publisher?.close()
    publisher = nil
    streams = [:]
    watchers = [:]
  }

  private func drain() async {
    waiting.refuseAll()
    await server?.drain()
  }

  /// Throws unless the socket thread turns over and serves.
  func checkIsServing() throws {
    guard server != nil else { throw Status(.unavailable, "Video-tiles is not serving yet.") }
  }

  // MARK: Deciding

  /// Answers a call with what `body` throws, if it does; otherwise `body` has answered, or will.
  func attempt<Reply>(_ call: Call<Reply>, _ body: () throws -> Void) {
    do {
      try requireTerm(call.header.term)
      try body()
    } catch {
      call.fail(refusal(error))
    }
  }

  /// - Throws: ``VideoTilesError/staleTerm(_:current:)``.
  func requireTerm(_ term: UInt64) throws(VideoTilesError) {
    guard term == 0 || term == self.term else { throw .staleTerm(term, current: self.term) }
  }

  /// Notes why a request is refused, and says it for its caller.
  func refusal(_ error: any Error) -> Status {
    metrics.countRefusal(error)
    let status = Status(describing: error)
    logger.info(
      "Refused a request",
      metadata: [LogKey.status: "\(status.code)", LogKey.reason: "\(status.reason)"])
    return status
  }

  /// Lets the boards decide and does what they want done, also if they refuse.
  @discardableResult
  func decide<Answer>(
    _ body: (inout Boards, ContinuousClock.Instant) throws -> Answer
  ) rethrows -> Answer {
    defer { carryOut() }
    let start = ContinuousClock.now
    defer { metrics.countDecision(since: start) }
    return try body(&boards, thread.now)
  }

  private func carryOut() {
    for effect in boards.takeEffects() {
      switch effect {
      case .tiles(.publish(let event, let audience), let meeting):
        metrics.count(event)
        stream(of: meeting)?.publish(event, for: audience)
      case .tiles(.forward(let change), let meeting):
        metrics.count(change)
        for watcher in watchers[meeting, default: [:]].values { watcher.send(change) }
      case .end(let meeting):
        for watcher in watchers.removeValue(forKey: meeting)?.values ?? [:].values {
          watcher.end()
        }
      case .forget(let meeting):
        streams[meeting] = nil
        publisher?.endStream(of: meeting)
      }
    }
    if !hasSettled, !boards.isRecovering { settle() }
    arm()
  }

  private func arm() {
    guard let deadline = boards.nextDeadline, server != nil else { return }
    if let timer {
      guard deadline < timer.deadline else { return }
      thread.cancel(timer.id)
    }
    let id = thread.schedule(after: deadline - ContinuousClock.now) { [unowned self] in wake() }
    timer = (id, deadline)
  }

  private func wake() {
    timer = nil
    decide { boards, _ in boards.advance(to: .now) }
  }

  // MARK: Requests that wait for recovery

  /// Answers a call with what `answer` gives, once nothing is missing on the boards.
  ///
  /// - Parameter ifGivenUp: Called if the caller does not wait for that.
  func whenSettled<Reply>(
    _ call: Call<Reply>, _ answer: @escaping () throws -> Reply, ifGivenUp: (() -> Void)? = nil
  ) {
    let act = { [self] in
      do { call.reply(try answer()) } catch { call.fail(refusal(error)) }
    }
    guard boards.isRecovering else { return act() }
    waiting.add(call, ifGivenUp: ifGivenUp, answer: act)
  }

  /// Recovery is over.
  private func settle() {
    hasSettled = true
    waiting.answerAll()
    for (meeting, watchers) in watchers {
      for watcher in watchers.values where watcher.state == .waiting {
        watcher.sendEverything(forwarding(of: meeting))
      }
    }
  }

  // MARK: Decisions for media

  /// Sends all decisions of a meeting, and from then on what changes.
  func watch(_ meeting: MeetingID, on stream: ServerStream<V1.ForwardingUpdate>) {
    guard boards.board(of: meeting)?.hasEnded != true else { return stream.end() }
    lastWatcher += 1
    let number = lastWatcher
    stream.onCancel = { [unowned self] in removeWatcher(number, of: meeting) }
    let watcher = DecisionWatcher(stream)
    watchers[meeting, default: [:]][number] = watcher
    if hasSettled { watcher.sendEverything(forwarding(of: meeting)) }
  }

  private func removeWatcher(_ number: UInt64, of meeting: MeetingID) {
    watchers[meeting]?[number] = nil
    if watchers[meeting]?.isEmpty == true { watchers[meeting] = nil }
  }

  private func forwarding(of meeting: MeetingID) -> ForwardingChange {
    boards.board(of: meeting)?.forwarding ?? ForwardingChange()
  }

  /// Makes up for what could not be sent, and gives up who takes nothing.
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

  /// After so many items in a row that nobody takes, a watcher is gone.
  private static let mostFailures = 30

  // MARK: Streams

  /// The stream of a meeting, which begins when it is first needed. `nil` when closed.
  func stream(of meeting: MeetingID) -> EventStream? {
    if let stream = streams[meeting] { return stream }
    let stream = publisher?.beginStream(
      of: meeting, name: "tiles", topic: .tiles(of: meeting), epoch: epochs.next(),
      keeping: configuration.replayEvents)
    streams[meeting] = stream
    return stream
  }

  /// The board of a meeting with the tiles of these receivers; `nil`: of all.
  func snapshot(
    of meeting: MeetingID, receivers: Set<ParticipantID>? = nil
  ) -> V1.TileBoardSnapshot {
    guard let board = boards.board(of: meeting), let stream = stream(of: meeting) else {
      return V1.TileBoardSnapshot(meetingID: meeting.text)
    }
    return stream.snapshot(of: board) { receivers?.contains($0) ?? true }
  }
}

// MARK: - Running

extension VideoTilesService: Service {
  /// Registers, serves until the process is asked to stop, finishes what was accepted, and gives
  /// the name back.
  func run() async throws {
    defer { thread.stop() }
    let registration = try registry.register(
      InstanceAnnouncement(
        service: "video-tiles", instance: configuration.instance,
        endpoints: [
          "rpc": configuration.requests.text, "events": configuration.events.text,
        ]))
    defer {
      close()
      registration.withdraw()
    }
    try open(term: registration.term)
    await cancelWhenGracefulShutdown { [self] in await beat(registration) }
    await drain()
  }

  /// Says every second that the instance lives, until cancelled. Goes through the socket thread, so
  /// that the heartbeat stops when that hangs.
  private func beat(_ registration: any Registration) async {
    repeat {
      let isRecovering = boards.isRecovering
      catchUpWatchers()
      metrics.update(
        boards, waitingRequests: waiting.count,
        watchers: watchers.values.reduce(0) { $0 + $1.count })
      do {
        try await registration.beat()
        if isRecovering {
          let gateways = try await registry.liveGateways()
          decide { $0.expect(gateways, at: $1) }
        }
      } catch {
        logger.warning("The registry failed", metadata: [LogKey.error: "\(error)"])
      }
    } while (try? await Task.sleep(for: .seconds(1))) != nil
  }

}
