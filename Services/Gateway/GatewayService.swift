import Bus
import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Storage
import Wire
import ZeroMQ

/// The gateway: keeps clients' sessions, calls the services, and forwards events.
///
/// The actor opens the sockets, runs the tasks of its components, and answers clients and
/// operators. The actor runs on one socket thread. The meetings store and the services that own the
/// meetings decide what a client may do and what the client receives. The gateway stores no
/// sessions: after a restart, each client restores its session with its next Start.
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
  nonisolated let browserMailbox = BrowserEventQueue()
  nonisolated let browserMetrics: BrowserConnectionMetrics
  private let sockets: ZMQContext

  /// Authenticates the peers that connect to the operators' port; `nil` if there is no such port.
  private let authenticator: PeerAuthenticator?
  private let doorThread: SocketThread?
  private let clientObserver: RequestMetrics
  private let operatorObserver: RequestMetrics

  private(set) lazy var tasks = GatewayTasks(of: self)
  private(set) lazy var parts = GatewayComponents(tasks, browserMailbox, browserMetrics) {
    [settings, store, metrics, logger, thread, sockets] coordinator in
    GatewayContext(
      settings: settings, store: store, metrics: metrics, logger: logger, thread: thread,
      sockets: sockets, coordinator: coordinator)
  }

  private var clientServer: RequestServer?
  private var operatorServer: RequestServer?
  private var registration: (any InstanceRegistration)?
  private var flushHooks: [SocketThreadHookID] = []

  init(
    settings: GatewaySettings, control: ControlSettings, store: MeetingStore,
    registry: any Registry, context: ZMQContext, host: Host
  ) {
    thread = SocketThread(name: "gateway")
    self.settings = settings
    controlSettings = control
    self.store = store
    self.registry = registry
    sockets = context
    let doorThread = settings.operatorPort.map { _ in SocketThread(name: "authenticator") }
    authenticator = settings.operatorPort.flatMap { port in
      doorThread.map { PeerAuthenticator(port.admission, in: context, on: $0) }
    }
    self.doorThread = doorThread
    logger = host.logger
    metrics = GatewayMetrics(host.metrics)
    browserMetrics = BrowserConnectionMetrics(host.metrics)
    clientObserver = RequestMetrics("carillon_gateway_client", in: host.metrics)
    operatorObserver = RequestMetrics("carillon_gateway_operator", in: host.metrics)
  }

  /// The operations on meetings and attendees. This gateway notifies the services of the
  /// operations' effects.
  nonisolated var control: ControlPlane {
    ControlPlane(store: store, effects: self, settings: controlSettings, logger: logger)
  }

  /// Serves clients until the process gets a signal to stop. Then moves every client to another
  /// gateway.
  func run() async throws {
    let registration = try await registry.registered(
      InstanceAnnouncement(
        service: "gateway", instance: settings.instance,
        endpoints: [
          "client": settings.clientEndpoints[0].text, "operator": settings.operatorEndpoint.text,
          "public": controlSettings.gatewayURL, "rest": controlSettings.localURL.text,
        ], host: settings.host))
    do {
      try await authenticator?.open()
      try open()
    } catch {
      await closeDoor()
      registration.withdraw()
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
    await authenticator?.close()
    doorThread?.stop()
  }

  private func open() throws {
    let clients = try RequestServer(
      ofClientsAt: settings.clientEndpoints, on: thread, listening: settings.listening)
    let operators = try RequestServer(
      at: [settings.operatorEndpoint], securedAt: settings.operatorPort, in: sockets, on: thread)
    clients.observer = clientObserver
    operators.observer = operatorObserver
    clients.requestFilter = { [unowned self] header, route, method in
      assumeIsolated { $0.parts.requestFilter.refusal(of: header, from: route, to: method.key) }
    }
    clients.onDeparture = { [unowned self] route in assumeIsolated { $0.depart(route) } }
    clients.serve(audioVideoFacade: self)
    operators.serve(operator: self)
    (clientServer, operatorServer) = (clients, operators)
    addFlushHooks()
    openBrowsers()
    logger.notice(
      "Serving clients",
      metadata: [
        LogMetadataKey.endpoint: "\(settings.clientEndpoints.map(\.text).joined(separator: " "))"
      ])
  }

  /// Adds hooks to the event loop. At the end of each turn, the hooks send items to clients.
  private func addFlushHooks() {
    flushHooks = [
      thread.addBeforePoll { [unowned self] in assumeIsolated { $0.parts.keeper.flush() } },
      thread.addBeforePoll(isLast: true) { [unowned self] in
        assumeIsolated { $0.parts.browsers.flush() }
      },
      // This hook runs after the hook in which the listener sends its output.
      thread.addBeforePoll(isLast: true) { [unowned self] in
        assumeIsolated { $0.parts.keeper.flushed() }
      },
    ]
  }

  /// Starts to admit browsers.
  private func openBrowsers() {
    browserMailbox.onEvents { [weak self, thread] in
      Task(executorPreference: thread) { await self?.takeBrowserEvents() }
    }
    takeBrowserEvents()
  }

  private func takeBrowserEvents() { parts.browsers.takeEvents() }

  private func drain() async {
    let running = tasks.close()
    parts.keeper.drain()
    browserMailbox.onEvents(nil)
    parts.browsers.drain()
    parts.turns.close()
    for task in running { await task.value }
    await clientServer?.drain()
    await operatorServer?.drain()
    await clientServer?.awaitDeparture(within: Self.departureLimit)
  }

  /// How long moved clients may take to disconnect before the gateway closes the socket.
  private static let departureLimit = Duration.seconds(1)

  private func close() {
    for hook in flushHooks { thread.removeBeforePoll(hook) }
    flushHooks = []
    for part in parts.services.all { part.following.close() }
    clientServer?.close()
    operatorServer?.close()
    (clientServer, operatorServer) = (nil, nil)
  }

  // MARK: Tasks

  /// Runs a task of ``GatewayTasks``.
  func perform(
    _ work: GatewayTaskKey, _ number: UInt64, _ body: (isolated GatewayService) async -> Void
  ) async {
    await body(self)
    tasks.end(work, number)
  }

  // MARK: Time

  private static let interval = Duration.milliseconds(500)

  /// Updates the registry, sends heartbeats and finds lost clients, twice a second.
  ///
  /// The task runs on the socket thread, so the heartbeat stops if this thread hangs.
  private func beat(_ registration: any InstanceRegistration) async {
    repeat {
      await lookAtRegistry(registration)
      parts.tick()
    } while (try? await Task.sleep(for: Self.interval)) != nil
  }

  /// Updates this gateway's registration, and reads the live instances.
  ///
  /// Another thread reads the files of the registry.
  private func lookAtRegistry(_ registration: any InstanceRegistration) async {
    do {
      try await registration.beat(meetings: parts.context.sessions.occupiedMeetings.count)
      let gateways = try await registry.liveInstances(of: "gateway")
      parts.keeper.show(ResumeGateways(gateways, seenBy: settings.instance))
      try await parts.refresh(from: registry)
    } catch {
      logger.warning("The registry does not answer", metadata: [LogMetadataKey.error: "\(error)"])
    }
  }

  // MARK: Health

  /// Checks that beacons arrive from at least one instance of a service.
  ///
  /// - Throws: The reason, if no beacons arrive.
  func check(_ service: ServiceID) throws(Status) { try parts.check(service) }

  /// Returns the link to the client of a ZeroMQ connection.
  func makeLink(to route: RoutingID) -> ZeroMQClientLink? {
    clientServer.flatMap {
      SessionOutbox(to: route, of: $0, budget: settings.clientBudgetBytes).map(
        ZeroMQClientLink.init)
    }
  }
}
