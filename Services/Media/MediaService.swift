import Bus
import Foundation
import Logging
import MeetingModel
import RTP
import ServiceHost
import ServiceLifecycle
import Wire
import ZeroMQ

/// The rim of media: requests in, packets in and out, reports to presence and video-tiles.
///
/// It lives on its own ``SocketThread``, and so does every packet: from the socket to the mix or to the
/// receivers of a video it is handled by plain calls, without a task or an allocation of ours.
actor MediaService {
  let configuration: MediaConfiguration
  private let registry: any Registry
  private let context: Context
  let thread: SocketThread
  let metrics: MediaCounters
  let logger: Logger

  var meetings: [MeetingID: MeetingMedia] = [:]
  var sessions: [SessionID: MediaSession] = [:]

  /// Sessions whose ticket has not been shown, or may be shown again on another connection.
  var tickets: [MediaTicket: MediaSession] = [:]

  /// Sessions by the connection that has shown their ticket.
  var bindings: [Route: MediaSession] = [:]

  /// When each gateway was last heard, and in which run.
  var gateways: [GatewayName: GatewayContact] = [:]

  private(set) var term: UInt64 = 0
  private(set) var packets: PacketSocket?
  private var server: RequestServer?
  private var publisher: EventPublisher?
  private var epochs = EpochSource()
  private var ticker: TimerID?
  private var nextTick = ContinuousClock.now
  private var nextLevels = ContinuousClock.now
  private var nextReports = ContinuousClock.now

  private(set) lazy var presence = ServiceLinks(
    "presence", topic: Topic.roster(of:),
    handlers: .init(onNewTerm: { [unowned self] _ in
      assumeIsolated { for meeting in $0.meetings.values { meeting.forgetToldLevels() } }
    }), in: context, on: thread
  ) { PresenceClient($0) }
  private(set) lazy var tiles = ServiceLinks(
    "video-tiles", topic: Topic.tiles(of:),
    handlers: .init(onNewTerm: { [unowned self] _ in
      assumeIsolated { for meeting in $0.meetings.values { meeting.forgetToldTracks() } }
    }), in: context, on: thread
  ) { VideoTilesClient($0) }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Opens nothing yet: ``run()`` does.
  ///
  /// - Parameter thread: Its own; it stops with the service.
  init(
    _ configuration: MediaConfiguration, registry: any Registry, in context: Context,
    on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.registry = registry
    self.context = context
    self.thread = thread
    self.metrics = MediaCounters(in: metrics)
    self.logger = logger
  }

  isolated deinit { assert(server == nil, "Let the service's run end before releasing it.") }

  // MARK: Opening and closing

  private func open(term: UInt64) throws(ZeroMQError) {
    self.term = term
    publisher = try EventPublisher(
      at: configuration.events, instance: configuration.instance, term: term, in: context,
      on: thread)
    let packets = try PacketSocket(
      at: configuration.packets, maximumPacketSize: 64 << 10,
      patienceWithStrangers: configuration.rules.strangerPatience, in: context, on: thread)
    // Plainly: `assumeIsolated` makes two closures each time, and packets are many.
    packets.onPacket = { [unowned self] route, packet in receive(packet, from: route) }
    packets.onGone = { [unowned self] route in assumeIsolated { $0.unbind(route) } }
    packets.onDrop = { [unowned self] route in assumeIsolated { $0.dropped(route) } }
    self.packets = packets
    let server = try RequestServer(at: [configuration.requests], in: context, on: thread)
    server.observer = metrics.requests
    server.serve(media: self)
    self.server = server
    nextTick = thread.now
    (nextLevels, nextReports) = (nextTick, nextTick)
    tick()
    logger.notice(
      "Carrying media",
      metadata: [
        LogKey.endpoint: "\(configuration.packets.map(\.text).joined(separator: " "))",
        LogKey.term: "\(term)",
      ])
  }

  private func close() {
    if let ticker { thread.cancel(ticker) }
    ticker = nil
    for meeting in meetings.values { meeting.close() }
    meetings = [:]
    presence.close()
    tiles.close()
    packets?.close()
    packets = nil
    server?.close()
    server = nil
    publisher?.close()
    publisher = nil
  }

  private func drain() async { await server?.drain() }

  /// Throws unless the socket thread turns over and serves.
  func checkIsServing() throws {
    guard server != nil else { throw Status(.unavailable, "Media is not serving yet.") }
  }

  // MARK: Requests

  /// Answers a call with what `body` gives or throws.
  func attempt<Reply>(_ call: Call<Reply>, _ body: () throws -> Reply) {
    do {
      try requireTerm(call.header.term)
      call.reply(try body())
    } catch {
      call.fail(refusal(error))
    }
  }

  /// - Throws: ``MediaError/staleTerm(_:current:)``.
  func requireTerm(_ term: UInt64) throws(MediaError) {
    guard term == 0 || term == self.term else { throw .staleTerm(term, current: self.term) }
  }

  /// Notes why a request is refused, and says it for its caller.
  func refusal(_ error: any Error) -> Status {
    let status = Status(describing: error)
    logger.info(
      "Refused a request",
      metadata: [LogKey.status: "\(status.code)", LogKey.reason: "\(status.reason)"])
    return status
  }

  // MARK: Meetings

  /// The media of a meeting, which begins with its first session.
  func openMeeting(_ id: MeetingID) -> MeetingMedia? {
    if let meeting = meetings[id] { return meeting }
    guard let publisher, let packets else { return nil }
    let stream = publisher.beginStream(
      of: id, name: "media", topic: .media(of: id), epoch: epochs.next(), keeping: 0)
    let meeting = MeetingMedia(
      id, rules: configuration.rules, stream: stream, packets: packets,
      decisions: DecisionFollower(id, of: tiles, on: thread), metrics: metrics,
      epoch: Self.origin.day)
    meetings[id] = meeting
    meeting.decisions.onUpdate = { [unowned self] update in
      assumeIsolated { $0.meetings[id]?.take(update, at: $0.mediaTime) }
    }
    meeting.decisions.open()
    return meeting
  }

  /// Nobody is left in a meeting.
  func forget(_ meeting: MeetingMedia) {
    meeting.close()
    meetings[meeting.id] = nil
    publisher?.endStream(of: meeting.id)
  }

  // MARK: Time

  /// Now, for what handles packets.
  var mediaTime: MediaTime { MediaTime(thread.now - Self.origin.clock) }

  /// Where ``MediaTime`` begins, and what time of day that was, in microseconds since 1970. One constant:
  /// two would each be made when they are first needed.
  private static let origin = (
    clock: ContinuousClock.now, day: UInt64(Date().timeIntervalSince1970 * 1_000_000)
  )

  /// Every 20 ms, by a clock that does not drift: mixes leave. A thread that was held up makes up for
  /// a few of them, and goes on from there.
  private func tick() {
    let now = thread.now
    var late = 0
    while nextTick <= now {
      nextTick = nextTick + MediaRules.audioPacket
      late += 1
      if late <= Self.mostTicksAtOnce { mix() }
    }
    packets?.flush()
    if now >= nextLevels {
      nextLevels = now + MediaRules.levelInterval
      reportLevels()
    }
    if now >= nextReports {
      nextReports = now + MediaRules.reportInterval
      report()
    }
    ticker = thread.schedule(after: nextTick - ContinuousClock.now) { [unowned self] in
      assumeIsolated { $0.tick() }
    }
  }

  private static let mostTicksAtOnce = 5

  private func mix() {
    let start = ContinuousClock.now
    let time = mediaTime
    for meeting in meetings.values { meeting.tick(at: time) }
    metrics.mixing.observe(since: start)
  }

  /// Looks who owns which meeting, and which gateways are gone.
  private func lookAround(_ registration: any Registration) async throws {
    try await registration.beat()
    _ = try presence.refresh(with: await registry.liveInstances(of: "presence"))
    _ = try tiles.refresh(with: await registry.liveInstances(of: "video-tiles"))
    for meeting in meetings.values { meeting.decisions.check() }
  }
}

// MARK: - Running

extension MediaService: Service {
  /// Registers, serves until the process is asked to stop, finishes what was accepted, and gives
  /// the name back.
  func run() async throws {
    defer { thread.stop() }
    let registration = try registry.register(
      InstanceAnnouncement(
        service: "media", instance: configuration.instance,
        endpoints: [
          "rpc": configuration.requests.text, "events": configuration.events.text,
          "media": configuration.advertised.text,
        ]))
    defer {
      close()
      registration.withdraw()
    }
    try open(term: registration.term)
    await cancelWhenGracefulShutdown { [self] in await beat(registration) }
    await drain()
  }

  /// Says every half second that the instance lives, until cancelled. Goes through the socket thread,
  /// so that the heartbeat stops when that hangs.
  private func beat(_ registration: any Registration) async {
    repeat {
      releaseOrphans()
      metrics.update(meetings: meetings.count, sessions: sessions.count, bound: bindings.count)
      do { try await lookAround(registration) } catch {
        logger.warning("The registry failed", metadata: [LogKey.error: "\(error)"])
      }
    } while (try? await Task.sleep(for: .milliseconds(500))) != nil
  }

}

/// What media knows of a gateway.
struct GatewayContact {
  /// Differs after each start of the gateway.
  var run: UInt64

  /// When this run was first heard.
  var since: ContinuousClock.Instant
  var lastHeard: ContinuousClock.Instant

  /// By which connection it called last.
  var route: Route
}
