import Bus
import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Storage
import Wire
import ZeroMQ

/// The gateway's rim: it holds client sessions, asks the services, and hands events on.
///
/// All of it runs on one socket thread. What a client may do and what it is told is decided by the
/// owning services and the meetings store; what is kept here is soft and comes back from clients.
actor GatewayService: Service {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  nonisolated let thread: SocketThread
  nonisolated let settings: GatewaySettings
  nonisolated let store: MeetingStore
  nonisolated let logger: Logger
  nonisolated let metrics: GatewayMetrics
  nonisolated let registry: any Registry
  nonisolated let controlSettings: ControlSettings
  private let context: Context

  /// Random at each start, so that presence can tell a restart.
  nonisolated let run: UInt64 = .random(in: 1 ... .max)

  /// When this run began to serve.
  private(set) var openedAt = ContinuousClock.now

  var sessions = SessionTable()
  var rosters: [MeetingID: RosterHub] = [:]
  var messages: [MeetingID: StreamHub] = [:]
  var boards: [MeetingID: StreamHub] = [:]
  var transcripts: [MeetingID: StreamHub] = [:]
  var opening: [Route: Task<Void, Never>] = [:]

  /// How many joins are under way for a session that is not open yet, or not any more.
  var joining: [SessionID: Int] = [:]
  private(set) lazy var presence = ServiceLinks(
    "presence", topic: Topic.roster(of:), handlers: presenceHandlers(), in: context, on: thread
  ) { PresenceClient($0) }
  private(set) lazy var messaging = ServiceLinks(
    "messaging", topic: Topic.messages(of:), handlers: messagingHandlers(), in: context, on: thread
  ) { MessagingClient($0) }
  private(set) lazy var tiles = ServiceLinks(
    "video-tiles", topic: Topic.tiles(of:), handlers: tilesHandlers(), in: context, on: thread
  ) { VideoTilesClient($0) }
  private(set) lazy var media = ServiceLinks(
    "media", topic: Topic.media(of:), handlers: mediaHandlers(), in: context, on: thread
  ) { MediaClient($0) }
  private(set) lazy var transcription = ServiceLinks(
    "transcription", topic: Topic.transcripts(of:), handlers: transcriptionHandlers(), in: context,
    on: thread
  ) { TranscriptionClient($0) }

  /// What the services last said of their limits.
  var serviceLimits: [String: V1.Limits] = [:]
  var lastOutgoing: UInt64 = 0
  let flushing = FlushQueue()
  var strangers = StrangerLimits()
  var announcing: [String: Task<Void, Never>] = [:]
  var announcingTiles: [String: Task<Void, Never>] = [:]
  var announcingTranscripts: [String: Task<Void, Never>] = [:]
  var admittingAll: [String: Task<Void, Never>] = [:]

  /// How many decisions of operators were made through this gateway.
  var decisions: UInt64 = 0
  var tileWatches: [UInt64: TileWatch] = [:]
  var lastTileWatch: UInt64 = 0
  private(set) var clientServer: RequestServer?
  private var operatorServer: RequestServer?
  private let clientObserver: RequestMetrics
  private let operatorObserver: RequestMetrics
  private var registration: (any Registration)?
  private var timer: TimerID?
  private var flushHook: HookID?
  private(set) var isDraining = false

  init(
    settings: GatewaySettings, control: ControlSettings, store: MeetingStore,
    registry: any Registry, context: Context, host: Host
  ) {
    thread = SocketThread(name: "gateway")
    self.settings = settings
    controlSettings = control
    self.store = store
    self.registry = registry
    self.context = context
    logger = host.logger
    metrics = GatewayMetrics(host.metrics)
    clientObserver = RequestMetrics("carillon_gateway_client", in: host.metrics)
    operatorObserver = RequestMetrics("carillon_gateway_operator", in: host.metrics)
  }

  /// The operations on meetings and attendees, whose effects this gateway tells.
  nonisolated var control: ControlPlane {
    ControlPlane(store: store, effects: self, settings: controlSettings, logger: logger)
  }

  /// Serves until the process is told to stop; then every client is told to go elsewhere.
  func run() async throws {
    try open()
    await Self.untilShutdown()
    await drain()
    close()
    context.terminate()
    thread.stop()
  }

  private static func untilShutdown() async {
    let (stream, _) = AsyncStream<Void>.makeStream()
    for await _ in stream.cancelOnGracefulShutdown() {}
  }

  // MARK: Opening and closing

  private func open() throws {
    openedAt = thread.now
    var options = ServerOptions.clientFacing
    options.idleLimit = settings.idleConnection
    let clients = try RequestServer(
      at: settings.clientEndpoints, in: context, on: thread, options: options)
    let operators = try RequestServer(at: [settings.operatorEndpoint], in: context, on: thread)
    clients.observer = clientObserver
    operators.observer = operatorObserver
    clients.gatekeeper = { [unowned self] header, route, method in
      assumeIsolated { $0.refusal(of: header, route, method) }
    }
    clients.serve(audioVideoFacade: self)
    operators.serve(operator: self)
    (clientServer, operatorServer) = (clients, operators)
    registration = try registry.register(
      InstanceAnnouncement(
        service: "gateway", instance: settings.instance,
        endpoints: [
          "client": settings.clientEndpoints[0].text, "operator": settings.operatorEndpoint.text,
          "rest": controlSettings.localURL.text,
        ]))
    flushHook = thread.addBeforePoll { [unowned self] in assumeIsolated { $0.flushSessions() } }
    tick()
    logger.notice(
      "Serving clients",
      metadata: [
        "endpoints": "\(settings.clientEndpoints.map(\.text).joined(separator: " "))"
      ])
  }

  private func drain() async {
    isDraining = true
    for task in announcing.values { task.cancel() }
    for task in announcingTiles.values { task.cancel() }
    for task in announcingTranscripts.values { task.cancel() }
    for task in admittingAll.values { task.cancel() }
    for task in opening.values { task.cancel() }
    let status = V1.Status(
      Status(.unavailable, "This gateway is stopping; resume elsewhere.", reason: .draining))
    for session in sessions.all {
      _ = session.link.flush()
      session.link.end(status)
      sessions.remove(session.id)
    }
    await clientServer?.drain()
    await operatorServer?.drain()
  }

  private func close() {
    if let timer { thread.cancel(timer) }
    if let flushHook { thread.removeBeforePoll(flushHook) }
    (timer, flushHook) = (nil, nil)
    registration?.withdraw()
    presence.close()
    messaging.close()
    tiles.close()
    media.close()
    transcription.close()
    clientServer?.close()
    operatorServer?.close()
    (clientServer, operatorServer) = (nil, nil)
  }

  // MARK: Time

  /// Twice a second: heartbeat, registry, lost clients, presence's liveness.
  private func tick() {
    timer = thread.schedule(after: .milliseconds(500)) { [unowned self] in
      assumeIsolated { $0.tick() }
    }
    do {
      try registration?.heartbeat()
      try findOwners()
    } catch {
      logger.warning("The registry does not answer", metadata: [LogKey.error: "\(error)"])
    }
    presence.check(at: thread.now)
    messaging.check(at: thread.now)
    tiles.check(at: thread.now)
    media.check(at: thread.now)
    transcription.check(at: thread.now)
    tellPresenceWeLive()
    tellTilesWeLive()
    tellMediaWeLive()
    endSilentSessions()
    strangers.forgetOld(now: thread.now)
    metrics.sessions.set(sessions.count)
    metrics.meetings.set(rosters.count)
    metrics.bytesUnderWay.set(sessions.all.reduce(0) { $0 + $1.link.unacknowledged })
  }

  /// Looks who owns which meeting. A meeting that has moved is announced to its new owner.
  private func findOwners() throws {
    for meeting in try presence.refresh(from: registry) {
      if let owner = presence.owner(of: meeting) { announce(to: owner.instance) }
    }
    for meeting in try messaging.refresh(from: registry) { messages[meeting]?.follower.catchUp() }
    for meeting in try tiles.refresh(from: registry) {
      if let owner = tiles.owner(of: meeting) { announceTiles(to: owner.instance) }
    }
    for meeting in rosters.keys { presence.follow(meeting) }
    for meeting in try media.refresh(from: registry) {
      if let owner = media.owner(of: meeting) { admitEverybody(to: owner.instance) }
    }
    for meeting in boards.keys {
      tiles.follow(meeting)
      media.follow(meeting)
    }
    for meeting in messages.keys { messaging.follow(meeting) }
    for meeting in try transcription.refresh(from: registry) {
      if let owner = transcription.owner(of: meeting) { announceTranscripts(to: owner.instance) }
    }
    for meeting in transcripts.keys { transcription.follow(meeting) }
  }

  private func tellPresenceWeLive() {
    let request = V1.GatewayAliveRequest(gateway: settings.instance, gatewayRun: run)
    for link in presence.all {
      let instance = link.instance
      link.client.gatewayAlive(request, options: CallOptions(timeout: .seconds(1))) {
        [unowned self] result in
        assumeIsolated { gateway in
          guard case .success(let reply) = result else { return }
          gateway.presence[instance]?.learn(reply.term)
          if reply.wantsAnnouncement { gateway.announce(to: instance) }
        }
      }
    }
  }

  /// Clients that missed three keep-alives: presence decides what becomes of them.
  private func endSilentSessions() {
    let limit = settings.keepAlive * 3
    for session in sessions.all where thread.now - session.lastHeard > limit {
      detach(
        session,
        because: Status(
          .unavailable, "Three keep-alives did not come; resume the session.",
          reason: .keepAliveLost))
    }
  }

  // MARK: Sending

  private func flushSessions() {
    let waiting = flushing.sessions
    flushing.sessions = []
    for session in waiting {
      switch session.link.flush() {
      case .sent:
        break
      case .overBudget:
        metrics.slowClients.increment()
        detach(
          session,
          because: Status(
            .resourceExhausted, "The client reads too slowly; resume the session.",
            session: .audioServerHungup, reason: .slowConsumer))
      case .unreachable:
        detach(session, because: nil)
      }
    }
  }
}
