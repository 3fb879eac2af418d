import Bus
import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Storage
import Wire
import ZeroMQ

/// The gateway: it holds client sessions, asks the services, and hands events on.
///
/// It puts the parts together, runs their tasks, and answers clients and operators by them. All of
/// it lives on one socket thread. What a client may do and what it is told is decided by the owning
/// services and the meetings store; what is kept here is soft and comes back from clients.
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
  nonisolated let browserMailbox = BrowserMailbox()
  nonisolated let browserMetrics: BrowserMetrics
  var lastBrowserAnswer: UInt64 = 0
  private let sockets: Context

  /// Answers who may come to the operators' port, if there is one.
  private let doorkeeper: Doorkeeper?
  private let doorThread: SocketThread?
  private let clientObserver: RequestMetrics
  private let operatorObserver: RequestMetrics

  private(set) lazy var context = GatewayContext(
    settings: settings, store: store, metrics: metrics, logger: logger, thread: thread,
    sockets: sockets)

  // One line for each service that is followed.
  private(set) lazy var roster = RosterPart(in: context)
  private(set) lazy var messages = MessagesPart(in: context)
  private(set) lazy var transcripts = TranscriptsPart(in: context)
  private(set) lazy var tiles = TilesPart(in: context)
  private(set) lazy var media = MediaPart(in: context)
  private(set) lazy var parts: [any ServicePart] = [roster, messages, transcripts, tiles, media]

  private(set) lazy var keeper = SessionKeeper(parts, in: context)
  private(set) lazy var promoter = Promoter(
    roster, tiles, media, messages, transcripts, in: context)
  private(set) lazy var tileWatches = TileWatches(tiles)
  private(set) lazy var turns = AdmissionTurns(in: context)
  private(set) lazy var browsers = BrowserFace(
    browserMailbox, metrics: browserMetrics, in: context)
  private lazy var gatekeeper = Gatekeeper(in: context)

  private var tasks = OwnedTasks<GatewayWork>()
  private var clientServer: RequestServer?
  private var operatorServer: RequestServer?
  private var registration: (any Registration)?
  private var flushHooks: [HookID] = []
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
    sockets = context
    let doorThread = settings.operatorPort.map { _ in SocketThread(name: "doorkeeper") }
    doorkeeper = settings.operatorPort.flatMap { port in
      doorThread.map { Doorkeeper(port.admission, in: context, on: $0) }
    }
    self.doorThread = doorThread
    logger = host.logger
    metrics = GatewayMetrics(host.metrics)
    browserMetrics = BrowserMetrics(host.metrics)
    clientObserver = RequestMetrics("carillon_gateway_client", in: host.metrics)
    operatorObserver = RequestMetrics("carillon_gateway_operator", in: host.metrics)
  }

  /// The operations on meetings and attendees, whose effects this gateway tells.
  nonisolated var control: ControlPlane {
    ControlPlane(store: store, effects: self, settings: controlSettings, logger: logger)
  }

  /// Serves until the process is told to stop; then every client is told to go elsewhere.
  func run() async throws {
    let registration = try await registry.registered(
      InstanceAnnouncement(
        service: "gateway", instance: settings.instance,
        endpoints: [
          "client": settings.clientEndpoints[0].text, "operator": settings.operatorEndpoint.text,
          "public": controlSettings.gatewayURL,
          "rest": controlSettings.localURL.text,
        ], host: settings.host))
    try await doorkeeper?.open()
    do { try open() } catch {
      await closeDoor()
      throw error
    }
    await cancelWhenGracefulShutdown { await self.beat(registration) }
    await drain()
    close()
    await closeDoor()
    registration.withdraw()
    sockets.terminate()
    thread.stop()
  }

  // MARK: Opening and closing

  private func closeDoor() async {
    await doorkeeper?.close()
    doorThread?.stop()
  }

  private func open() throws {
    connectParts()
    let clients = try RequestServer(
      ofClientsAt: settings.clientEndpoints, on: thread, listening: settings.listening)
    let operators = try RequestServer(
      at: [settings.operatorEndpoint], securedAt: settings.operatorPort, in: sockets, on: thread)
    clients.observer = clientObserver
    operators.observer = operatorObserver
    clients.gatekeeper = { [unowned self] header, route, method in
      assumeIsolated { $0.gatekeeper.refusal(of: header, from: route, to: method.key) }
    }
    clients.onDeparture = { [unowned self] route in assumeIsolated { $0.depart(route) } }
    clients.serve(audioVideoFacade: self)
    operators.serve(operator: self)
    (clientServer, operatorServer) = (clients, operators)
    flushHooks = [
      thread.addBeforePoll { [unowned self] in assumeIsolated { $0.keeper.flush() } },
      thread.addBeforePoll(isLast: true) { [unowned self] in
        assumeIsolated { $0.browsers.flush() }
      },
      // Behind the listener, which sends in a hook of its own.
      thread.addBeforePoll(isLast: true) { [unowned self] in
        assumeIsolated { $0.keeper.flushed() }
      },
    ]
    openBrowsers()
    logger.notice(
      "Serving clients",
      metadata: [
        LogKey.endpoint: "\(settings.clientEndpoints.map(\.text).joined(separator: " "))"
      ])
  }

  /// What the parts cannot do by themselves: tasks belong to this actor.
  private func connectParts() {
    context.announce = { [unowned self] service, instance in
      assumeIsolated { $0.announce(service, to: instance) }
    }
    context.sessionLacks = { [unowned self] session, service in
      assumeIsolated { $0.keeper.lacks(session, service) }
    }
    context.recordRosters = { [unowned self] in
      assumeIsolated { $0.start(.recordRosters) { await $0.roster.recorder.store() } }
    }
    context.end = { [unowned keeper] session, status, ending in
      keeper.end(session, status, ending)
    }
    context.endPromotion = { [unowned promoter] session, status in
      promoter.endedByPresence(session, with: status)
    }
    context.sessionLost = { [unowned messages] session, meeting in
      messages.lose(session, in: meeting)
    }
    context.meetingEnded = { [unowned tiles, unowned media] meeting, status in
      let request = V1.EndMeetingRequest(meetingID: meeting.text, status: V1.Status(status))
      tiles.endMeeting(request, meeting)
      media.endMeeting(request, meeting)
    }
    keeper.hasSettled = { [unowned turns] turn in turns.end(turn) }
    keeper.willRemove = { [unowned promoter] session, reason in
      promoter.leave(session, as: reason)
    }
    keeper.ask = { [unowned self] attempt in
      assumeIsolated { gateway in
        gateway.start(.takeIn(attempt.session, attempt.service)) { gateway in
          await gateway.keeper.attempt(attempt)
        }
      }
    }
    keeper.giveUp = { [unowned self] session, service in
      assumeIsolated { $0.cancel(.takeIn(session, service)) }
    }
  }

  private func drain() async {
    isDraining = true
    keeper.drain()
    closeBrowsers()
    turns.close()
    for task in tasks.cancelAll() { await task.value }
    await clientServer?.drain()
    await operatorServer?.drain()
    await clientServer?.awaitDeparture(within: Self.departureLimit)
  }

  /// How long clients that were told to go elsewhere have for it before the socket closes.
  private static let departureLimit = Duration.seconds(1)

  private func close() {
    for hook in flushHooks { thread.removeBeforePoll(hook) }
    flushHooks = []
    for part in parts { part.following.close() }
    clientServer?.close()
    operatorServer?.close()
    (clientServer, operatorServer) = (nil, nil)
  }

  // MARK: Tasks

  /// Starts a task, which replaces the one that is about the same.
  func start(
    _ work: GatewayWork, _ body: @escaping @Sendable (isolated GatewayService) async -> Void
  ) {
    guard !isDraining else { return }
    let number = tasks.reserve(work)
    let task = Task(executorPreference: thread) { await self.perform(work, number, body) }
    tasks.keep(task, as: number)
  }

  /// Nobody needs any more what a task is about.
  func cancel(_ work: GatewayWork) { tasks.cancel(work) }

  private func perform(
    _ work: GatewayWork, _ number: UInt64, _ body: (isolated GatewayService) async -> Void
  ) async {
    await body(self)
    tasks.end(work, number)
  }

  private func announce(_ service: ServiceID, to instance: String) {
    start(.announce(service, instance: instance)) { gateway in
      guard let following = gateway.parts.first(where: { $0.following.id == service })?.following
      else { return }
      // As long as it takes: an instance that is gone is not announced to.
      try? await Retry(until: nil, pause: .milliseconds(100)).run(on: gateway.thread) {
        () async throws(Status) in try await following.announce(to: instance)
      }
    }
  }

  // MARK: Time

  private static let interval = Duration.milliseconds(500)

  /// Twice a second: heartbeat, registry, signs of life, lost clients. Goes through the socket
  /// thread, so that the heartbeat stops when that hangs.
  private func beat(_ registration: any Registration) async {
    repeat {
      await lookAtRegistry(registration)
      for part in parts { part.following.tick() }
      keeper.endSilentSessions()
      browsers.tick()
      gatekeeper.forgetOld()
      updateMetrics()
    } while (try? await Task.sleep(for: Self.interval)) != nil
  }

  /// The registry's files are read away from the socket thread.
  private func lookAtRegistry(_ registration: any Registration) async {
    do {
      try await registration.beat(meetings: context.sessions.occupiedMeetings.count)
      let gateways = try await registry.liveInstances(of: "gateway")
      keeper.show(GatewayList(gateways, seenBy: settings.instance))
      for part in parts {
        let live = try await registry.liveInstances(of: part.following.id.name)
        try part.following.refresh(with: live)
      }
    } catch {
      logger.warning("The registry does not answer", metadata: [LogKey.error: "\(error)"])
    }
  }

  private func updateMetrics() {
    metrics.sessions.set(context.sessions.count)
    metrics.meetings.set(context.sessions.occupiedMeetings.count)
    metrics.bytesUnderWay.set(context.sessions.all.reduce(0) { $0 + $1.link.unacknowledged })
  }

  // MARK: Health

  /// Throws unless some instance of each service that meetings need is there.
  func check(_ service: ServiceID) throws(Status) {
    guard let following = parts.map(\.following).first(where: { $0.id == service }),
      !following.isHeard
    else { return }
    throw following.refusal ?? Status(.unavailable, "The service \(service) does not answer.")
  }

  /// The link to whoever is at the other end of a connection of the ZeroMQ face.
  func makeLink(to route: Route) -> OutboxLink? {
    clientServer.flatMap {
      SessionOutbox(to: route, of: $0, budget: settings.clientBudgetBytes).map(OutboxLink.init)
    }
  }
}
