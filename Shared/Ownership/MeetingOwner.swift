public import Bus
public import Logging
public import MeetingModel
internal import ServiceHost
public import ZeroMQ

/// The common parts of every owner: a term, an entry in the registry, a request server, event
/// streams, and calls that wait for recovery.
///
/// An ``OwningService`` has one owner, and both run on one ``SocketThread``. The owner accesses
/// files on other threads.
public final class MeetingOwner {
  /// The instance's identity and endpoints.
  public let place: OwnerInstance

  /// The thread of the service, which stops with the service.
  public let thread: SocketThread

  /// The context of the service's sockets.
  public let context: ZMQContext

  /// The registry of instances.
  public let registry: any Registry

  /// The service's logger.
  public let logger: Logger

  /// The current term. It rises with every start of the instance, and is 0 before the first start.
  public private(set) var term: UInt64 = 0

  /// The event streams of the owner's meetings.
  public let streams: OwnerStreams

  /// Calls that wait for recovery to end.
  public let waiting = CallsAwaitingRecovery()

  /// The detector of stalls of this process.
  var stalls: ProcessStallDetector

  /// Whether the owner is carrying out effects. An effect may cause another decision.
  var isCarryingOut = false

  /// Whether recovery has ended and the owner has answered all waiting calls.
  var hasRecovered = false

  /// The lease. While other instances of the service exist, the owner answers requests only during
  /// the lease.
  var lease: Lease

  /// Whether other instances of the service exist or existed.
  var hasRivals = false

  /// The live gateways according to the last reading of the registry. The owner keeps this set
  /// while other instances exist.
  var knownGateways: Set<GatewayName> = []

  /// A higher term of this instance that a gateway reported; `nil` while no gateway has reported a
  /// higher term. The instance must restart with a term above this term.
  var termToPass: UInt64?

  let timer: DeadlineTimer
  let beatInterval: Duration
  private let metrics: MeetingOwnerMetrics
  private var server: RequestServer?
  private let stallAlarm: ThreadTimer
  private let clock: (() -> ContinuousClock.Instant)?

  /// Makes an owner that is not open yet; ``OwningService/run()`` opens the owner.
  ///
  /// - Parameters:
  ///   - streams: The kind of the owner's event streams.
  ///   - thread: The service's own thread.
  ///   - beatInterval: The interval at which the service calls ``OwningService/beat()`` and sends a
  ///     heartbeat to the registry; at most one second.
  ///   - clock: Returns the time for the lease and for stall detection; `nil` for the system's
  ///     clock. The owner calls this closure on `thread`.
  public init(
    _ place: OwnerInstance, streams: OwnerStreams.Kind, registry: any Registry,
    in context: ZMQContext,
    on thread: SocketThread, metrics: MeetingOwnerMetrics, logger: Logger,
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
    stalls = ProcessStallDetector(interval: Self.stallInterval, at: now)
    lease = Lease(at: now)
    timer = DeadlineTimer(on: thread)
    stallAlarm = ThreadTimer(on: thread)
  }

  deinit { assert(server == nil, "Let the service's run end before releasing its owner.") }

  // MARK: Time

  /// The current time for the lease.
  var now: ContinuousClock.Instant { clock?() ?? .now }

  /// The start of the thread's current turn, for stall detection.
  private var turn: ContinuousClock.Instant { clock?() ?? thread.now }

  // MARK: Opening and closing

  /// Starts a new term. The service calls ``open()`` afterwards.
  func begin(_ term: UInt64) {
    self.term = term
    hasRecovered = false
    termToPass = nil
    lease = Lease(at: now)
    stalls = ProcessStallDetector(interval: Self.stallInterval, at: turn)
  }

  /// Opens the publisher and the request server of the current term.
  ///
  /// - Returns: The server, which does not serve yet.
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

  /// Whether the owner serves requests.
  public var isOpen: Bool { server != nil }

  /// Throws an error if the owner does not serve requests, or if it is about to start a new term. A
  /// health check calls this method on the socket thread, so the check fails if that thread hangs.
  func checkIsServing() throws(Status) {
    guard isOpen else {
      throw Status(.unavailable, "The service \(place.service) has not started yet; try again.")
    }
    guard termToPass == nil else {
      throw Status(
        .unavailable, "The service \(place.service) is about to start a new term; try again.")
    }
  }

  /// Rejects new requests and the requests that wait for recovery. Waits for all other requests.
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

  /// - Throws: ``OwnershipError/staleTerm(_:current:)`` if the request is for another term;
  ///   ``OwnershipError/leaseLapsed`` if another instance may have taken over.
  public func requireTerm(_ term: UInt64) throws(OwnershipError) {
    guard term == 0 || term == self.term else { throw .staleTerm(term, current: self.term) }
    // The thread's current time may be from before a stall, so this code reads the clock again.
    guard !hasRivals || lease.holds(at: now) else { throw .leaseLapsed }
  }

  /// Records that a gateway has seen this instance with a higher term than the present term.
  ///
  /// In this case, the registry has lost its counter, so the instance restarts with a term above
  /// the reported term.
  public func hear(highestTerm: UInt64) {
    // This code ignores the maximum, because no term could be above the maximum.
    guard highestTerm > term, highestTerm < .max else { return }
    termToPass = max(termToPass ?? 0, highestTerm)
  }

  /// Counts a rejected request without logging it. Callers that log several rejected requests
  /// together use this method.
  public func countRefusal(_ error: any Error) { metrics.countRefusal(error) }

  /// Counts and logs a rejected request, and returns the status for its caller.
  public func refusal(_ error: any Error) -> Status {
    countRefusal(error)
    let status = Status(describing: error)
    logger.info(
      "Refused a request",
      metadata: [
        LogMetadataKey.status: "\(status.code)", LogMetadataKey.reason: "\(status.reason)",
      ])
    return status
  }

  /// Logs why this owner cannot reach another instance. The status text names the instance.
  public func noteUnreachable(_ status: Status) {
    logger.warning(
      "Another service cannot be reached", metadata: [LogMetadataKey.reason: "\(status.message)"])
  }

  // MARK: Stalls

  /// The interval between checks for a stall.
  private static let stallInterval = Duration.milliseconds(500)

  /// Returns the length of a stall since the last check; zero if there was no stall.
  func lookForStall() -> Duration {
    let stall = stalls.look(at: turn)
    if stall > .zero {
      metrics.countStall()
      logger.warning(
        "The process did not run for a while; extending the deadlines of peers",
        metadata: [LogMetadataKey.duration: "\(stall)"])
    }
    return stall
  }

  /// Runs `look` at regular intervals, whether or not the owner has other work.
  func lookRegularly(_ look: @escaping () -> Void) {
    stallAlarm.set(after: Self.stallInterval) { [weak self] in
      look()
      self?.lookRegularly(look)
    }
  }
}
