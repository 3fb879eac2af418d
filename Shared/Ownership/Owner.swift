public import Bus
public import Logging
public import MeetingModel
internal import ServiceHost
public import ZeroMQ

/// What every owner has around its decisions: a term, a place in the registry, a request server,
/// event streams, and calls that wait for recovery.
///
/// An ``OwningService`` keeps one and lives with it on one ``SocketThread``; what touches files is
/// done elsewhere.
public final class Owner {
  /// Which instance it is.
  public let place: OwnerPlace

  /// The thread of the service; it stops with the service.
  public let thread: SocketThread

  /// Where the service's sockets belong.
  public let context: Context

  /// Where instances are found.
  public let registry: any Registry

  /// Where the service writes what it does.
  public let logger: Logger

  /// Rises with every start of the instance; 0 before.
  public private(set) var term: UInt64 = 0

  /// The streams of its meetings.
  public let streams: OwnerStreams

  /// Calls that wait for recovery to end.
  public let waiting = WaitingCalls()

  /// Tells whether the process stood still.
  var stalls: StallWatch

  /// What is carried out may be asked to decide more.
  var isCarryingOut = false

  /// Whether recovery has ended and everybody who waited was answered.
  var hasRecovered = false

  /// Until when it may answer, where there are others.
  var lease: Lease

  /// Whether other instances of the service are there, or were.
  var hasRivals = false

  /// The gateways that lived when the registry last answered, where there are other instances.
  var knownGateways: Set<GatewayName> = []

  /// The instance is to begin again, with a term above this one.
  var termToPass: UInt64?

  let timer: DeadlineTimer
  let beatInterval: Duration
  private let metrics: OwnerMetrics
  private var server: RequestServer?
  private let stallAlarm: Alarm
  private let clock: (() -> ContinuousClock.Instant)?

  /// Opens nothing yet: ``OwningService/run()`` does.
  ///
  /// - Parameters:
  ///   - streams: What its event streams are like.
  ///   - thread: The service's own.
  ///   - beatInterval: How often ``OwningService/beat()`` is called and the registry is told that
  ///     the instance lives: every second, or more often.
  ///   - clock: Says the time by which its lease holds and the process stands still; `nil`: the
  ///     system does. Called on the thread.
  public init(
    _ place: OwnerPlace, streams: OwnerStreams.Kind, registry: any Registry, in context: Context,
    on thread: SocketThread, metrics: OwnerMetrics, logger: Logger,
    beatInterval: Duration = .milliseconds(500), clock: (() -> ContinuousClock.Instant)? = nil
  ) {
    self.place = place
    self.streams = OwnerStreams(streams)
    self.registry = registry
    self.context = context
    self.thread = thread
    self.metrics = metrics
    self.logger = logger
    self.beatInterval = beatInterval
    self.clock = clock
    let now = clock?() ?? .now
    stalls = StallWatch(interval: Self.stallInterval, at: now)
    lease = Lease(at: now)
    timer = DeadlineTimer(on: thread)
    stallAlarm = Alarm(on: thread)
  }

  deinit { assert(server == nil, "Let the service's run end before releasing its owner.") }

  // MARK: Time

  /// Now, by which its lease holds.
  var now: ContinuousClock.Instant { clock?() ?? .now }

  /// The beginning of the thread's present turn, by which it stands still.
  private var turn: ContinuousClock.Instant { clock?() ?? thread.now }

  // MARK: Opening and closing

  /// A new term begins; nothing is open yet.
  func begin(_ term: UInt64) {
    self.term = term
    hasRecovered = false
    termToPass = nil
    lease = Lease(at: now)
    stalls = StallWatch(interval: Self.stallInterval, at: turn)
  }

  /// Opens the publisher and the request server of the present term.
  ///
  /// - Returns: The server, which serves nothing yet.
  public func open() throws(ZeroMQError) -> RequestServer {
    let publisher = try EventPublisher(
      at: place.events, securedAt: place.reach.ports["events"], instance: place.instance,
      term: term, in: context, on: thread)
    publisher.observer = metrics.subscriptions
    streams.open(publisher)
    let server = try RequestServer(
      at: [place.requests], securedAt: place.reach.ports["rpc"], in: context, on: thread)
    server.observer = metrics.requests
    self.server = server
    return server
  }

  /// Whether requests are served.
  public var isOpen: Bool { server != nil }

  /// Throws unless the socket thread turns over and serves, in a term that callers accept.
  func checkIsServing() throws(Status) {
    guard isOpen else { throw Status(.unavailable, "The \(place.service) is not serving yet.") }
    guard termToPass == nil else {
      throw Status(.unavailable, "The \(place.service) is about to begin again in a new term.")
    }
  }

  /// Refuses new requests and those that wait for recovery, and waits for the others.
  public func drain() async {
    waiting.refuseAll()
    await server?.drain()
  }

  /// Closes the sockets.
  func close() {
    timer.cancel()
    stallAlarm.cancel()
    server?.close()
    server = nil
    streams.close()
  }

  // MARK: Requests

  /// - Throws: ``OwnershipError/staleTerm(_:current:)`` unless a request is for this term, or for
  ///   any; ``OwnershipError/leaseLapsed`` when another instance may have taken over.
  public func requireTerm(_ term: UInt64) throws(OwnershipError) {
    guard term == 0 || term == self.term else { throw .staleTerm(term, current: self.term) }
    // The time of this turn may be from before the process stood still.
    guard !hasRivals || lease.holds(at: now) else { throw .leaseLapsed }
  }

  /// A gateway has heard a higher term of this instance than its present one: the registry has lost
  /// its counter, and the instance begins again above that.
  public func hear(highestTerm: UInt64) {
    // The greatest number has none above it.
    guard highestTerm > term, highestTerm < .max else { return }
    termToPass = max(termToPass ?? 0, highestTerm)
  }

  /// Counts that a request is refused, where one line of the log tells of many.
  public func countRefusal(_ error: any Error) { metrics.countRefusal(error) }

  /// Counts and logs why a request is refused, and says it for its caller.
  public func refusal(_ error: any Error) -> Status {
    countRefusal(error)
    let status = Status(describing: error)
    logger.info(
      "Refused a request",
      metadata: [LogKey.status: "\(status.code)", LogKey.reason: "\(status.reason)"])
    return status
  }

  /// Logs why an instance that this one calls cannot be reached. The text names it.
  public func noteUnreachable(_ status: Status) {
    logger.warning(
      "Another service cannot be reached", metadata: [LogKey.reason: "\(status.message)"])
  }

  // MARK: Stalls

  /// How often the thread looks whether it stood still.
  private static let stallInterval = Duration.milliseconds(500)

  /// How long the process stood still since the last look; zero while all is well.
  func lookForStall() -> Duration {
    let stall = stalls.look(at: turn)
    if stall > .zero {
      metrics.countStall()
      logger.warning(
        "Stood still; nobody's silence meanwhile counts", metadata: [LogKey.duration: "\(stall)"])
    }
    return stall
  }

  /// Looks in time, whatever else happens or does not.
  func lookRegularly(_ look: @escaping () -> Void) {
    stallAlarm.set(after: Self.stallInterval) { [weak self] in
      look()
      self?.lookRegularly(look)
    }
  }
}
