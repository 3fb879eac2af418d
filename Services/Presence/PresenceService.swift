import Bus
import Foundation
import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Wire
import ZeroMQ

/// The rim of presence: requests in, the decision of ``Meetings``, events and answers out.
///
/// It lives on its own ``SocketThread`` and decides there inline; only the registry's files are
/// touched elsewhere. What a snapshot would show during recovery is not the whole roster, so joins
/// and snapshots are answered when it is over.
actor PresenceService {
  let configuration: PresenceConfiguration
  private let registry: any Registry
  private let context: Context
  private let thread: SocketThread
  private let metrics: PresenceMetrics
  private let logger: Logger

  private var meetings: Meetings
  var term: UInt64 = 0
  private var server: RequestServer?
  private var publisher: EventPublisher?
  private var streams: [MeetingID: EventStream] = [:]
  private var epochs = EpochSource()
  private var timer: (id: TimerID, deadline: ContinuousClock.Instant)?
  private let waiting = WaitingCalls()

  /// By which connection each gateway called last.
  var routes: [GatewayName: Route] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Opens nothing yet: ``run()`` does.
  ///
  /// - Parameter thread: Its own; it stops with the service.
  init(
    _ configuration: PresenceConfiguration, registry: any Registry, in context: Context,
    on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.registry = registry
    self.context = context
    self.thread = thread
    self.metrics = PresenceMetrics(in: metrics)
    self.logger = logger
    meetings = Meetings(rules: configuration.rules, at: .now)
  }

  isolated deinit { assert(server == nil, "Let the service's run end before releasing it.") }

  // MARK: Opening and closing

  private func open(term: UInt64) throws(ZeroMQError) {
    self.term = term
    meetings = Meetings(rules: configuration.rules, at: thread.now)
    let publisher = try EventPublisher(
      at: configuration.events, instance: configuration.instance, term: term, in: context,
      on: thread)
    publisher.observer = metrics.subscriptions
    self.publisher = publisher
    let server = try RequestServer(at: [configuration.requests], in: context, on: thread)
    server.observer = metrics.requests
    server.serve(presence: self)
    self.server = server
    arm()
    logger.notice(
      "Serving presence",
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
  }

  private func drain() async {
    waiting.refuseAll()
    await server?.drain()
  }

  /// Throws unless the socket thread turns over and serves.
  func checkIsServing() throws {
    guard server != nil else { throw Status(.unavailable, "Presence is not serving yet.") }
  }

  // MARK: Deciding

  /// Answers a call with what `body` throws, if it does; otherwise `body` has answered.
  func attempt<Reply>(_ call: Call<Reply>, _ body: () throws -> Void) {
    do {
      let term = call.header.term
      guard term == 0 || term == self.term else {
        throw PresenceError.staleTerm(term, current: self.term)
      }
      try body()
    } catch {
      metrics.countRefusal(error)
      let status = Status(describing: error)
      logger.info(
        "Refused a request",
        metadata: [LogKey.status: "\(status.code)", LogKey.reason: "\(status.reason)"])
      call.fail(status)
    }
  }

  /// Lets the meetings decide and does what they want done, also if they refuse.
  func decide<Answer>(
    _ body: (inout Meetings, ContinuousClock.Instant) throws -> Answer
  ) rethrows -> Answer {
    defer { carryOut() }
    return try body(&meetings, thread.now)
  }

  private func carryOut() {
    for effect in meetings.takeEffects() {
      switch effect {
      case .publish(let event, let meeting):
        metrics.count(event)
        stream(of: meeting)?.publish(event)
      case .publishLevels(let update, let meeting):
        metrics.countLevels()
        stream(of: meeting)?.publish(update)
      case .forget(let meeting):
        streams[meeting] = nil
        publisher?.endStream(of: meeting)
      }
    }
    if !meetings.isRecovering { waiting.answerAll() }
    arm()
  }

  private func arm() {
    guard let deadline = meetings.nextDeadline, server != nil else { return }
    if let timer {
      guard deadline < timer.deadline else { return }
      thread.cancel(timer.id)
    }
    let id = thread.schedule(after: deadline - ContinuousClock.now) { [unowned self] in wake() }
    timer = (id, deadline)
  }

  private func wake() {
    timer = nil
    decide { meetings, _ in meetings.advance(to: .now) }
  }

  // MARK: Answers that wait for recovery

  func whenSettled<Reply>(
    _ call: Call<Reply>, _ answer: @escaping () -> Reply, ifGivenUp: (() -> Void)? = nil
  ) {
    guard meetings.isRecovering else { return call.reply(answer()) }
    waiting.add(call, ifGivenUp: ifGivenUp) { call.reply(answer()) }
  }

  // MARK: Streams

  /// The stream of a meeting, which begins when it is first needed. `nil` when closed.
  func stream(of meeting: MeetingID) -> EventStream? {
    if let stream = streams[meeting] { return stream }
    let stream = publisher?.beginStream(
      of: meeting, name: "roster", topic: .roster(of: meeting), epoch: epochs.next(),
      keeping: configuration.replayEvents)
    streams[meeting] = stream
    return stream
  }

  func snapshot(of meeting: MeetingID) -> V1.RosterSnapshot {
    let entries = meetings.roster(of: meeting)?.entries ?? []
    return stream(of: meeting)?.snapshot(of: entries) ?? V1.RosterSnapshot(meetingID: meeting.text)
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  var wallClock: UInt64 { UInt64(Date().timeIntervalSince1970 * 1_000) }
}

// MARK: - Running

extension PresenceService: Service {
  /// Registers, serves until the process is asked to stop, finishes what was accepted, and gives
  /// the name back.
  func run() async throws {
    defer { thread.stop() }
    let registration = try registry.register(
      InstanceAnnouncement(
        service: "presence", instance: configuration.instance,
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
      metrics.update(meetings, waitingRequests: waiting.count)
      let isRecovering = meetings.isRecovering
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
