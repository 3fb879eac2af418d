import Bus
import Logging
import MeetingModel
import ServiceHost
import TestSupport
import Wire
import ZeroMQ

@testable import Presence

/// A presence instance of its own in a fresh directory, started, handed over and stopped.
struct PresenceFixture {
  let directory: String
  let metrics = MetricsRegistry()
  var rules = PresenceRules()

  var registry: RuntimeDirectoryRegistry { RuntimeDirectoryRegistry(runtimeDirectory: directory) }

  private var requests: String { directory + "/presence-a.rpc.sock" }
  private var events: String { directory + "/presence-a.events.sock" }

  /// Runs presence for as long as `body` takes.
  func running<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    // The tests' gateways say seldom that they live, and a busy machine is slow.
    var rules = rules
    rules.gatewaySilence = .seconds(60)
    let presence = PresenceService(
      PresenceConfiguration(
        instance: "presence-a", requests: try .ipc(requests), events: try .ipc(events),
        rules: rules, replayEvents: 16),
      registry: registry, in: try Context(), on: SocketThread(name: "presence"), metrics: metrics,
      logger: Logger(label: "presence") { _ in SwiftLogNoOpLogHandler() })
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await presence.run() }
      let result: Result
      do {
        result = try await body()
      } catch {
        group.cancelAll()
        throw error
      }
      group.cancelAll()
      try await group.waitForAll()
      return result
    }
  }

  /// A gateway that calls this presence, for as long as `body` takes.
  ///
  /// - Parameter announces: Whether it begins with saying that it has no sessions, as gateways do.
  @discardableResult
  func withGateway<Result: Sendable>(
    _ name: String = "gateway-a", announces: Bool = true,
    _ body: (TestGateway) async throws -> Result
  ) async throws -> Result {
    let gateway = TestGateway(name: name)
    try await gateway.open(requests: try .ipc(requests), events: try .ipc(events))
    do {
      if announces { _ = try await gateway.announce([]) }
      let result = try await body(gateway)
      await gateway.close()
      return result
    } catch {
      await gateway.close()
      throw error
    }
  }

  /// Says that a gateway lives, as its registration does.
  func announceLife(of gateway: String) throws -> any Registration {
    try registry.register(
      InstanceAnnouncement(service: "gateway", instance: gateway, endpoints: [:]))
  }
}

/// Runs presence in a fresh directory.
func withPresence<Result: Sendable>(
  _ rules: PresenceRules = PresenceRules(),
  _ body: @Sendable (PresenceFixture) async throws -> Result
) async throws -> Result {
  try await withTemporaryDirectory { directory in
    let fixture = PresenceFixture(directory: directory, rules: rules)
    return try await fixture.running { try await body(fixture) }
  }
}

/// An event as a gateway has it.
struct SeenEvent: Sendable {
  let header: V1.EventHeader
  let body: V1.SessionEvents

  var presence: [V1.PresenceChange] {
    body.events.flatMap { event -> [V1.PresenceChange] in
      if case .presenceChanged(let changed) = event.event { changed.changes } else { [] }
    }
  }
}

/// What of a gateway presence sees: its requests, and how it follows a meeting.
actor TestGateway {
  nonisolated let name: String
  private let thread: SocketThread
  private var channel: RequestChannel?
  private var subscriber: EventSubscriber?
  private let follower = StreamFollower()
  private var seen: [SeenEvent] = []
  private var readers: [AsyncStream<Void>.Continuation] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(name: String) {
    self.name = name
    thread = SocketThread(name: name)
  }

  func open(requests: Endpoint, events: Endpoint) throws {
    let context = try Context()
    channel = try RequestChannel(to: requests, in: context, on: thread)
    let subscriber = try EventSubscriber(
      to: events, instance: "presence-a", in: context, on: thread)
    subscriber.onEvent = { [unowned self] in follower.arrive($0.header, $0.body) }
    subscriber.onBeacon = { [unowned self] in
      for position in $0.positions where position.meetingID == MeetingID.planning.text {
        follower.observe(position)
      }
    }
    self.subscriber = subscriber
    follower.onEvent = { [unowned self] header, bytes in
      guard let body = try? V1.SessionEvents(packed: bytes) else { return }
      seen.append(SeenEvent(header: header, body: body))
      for reader in readers { reader.yield() }
    }
    follower.onCatchUp = { [unowned self] in catchUp(epoch: $0, after: $1) }
  }

  func close() {
    channel?.close()
    subscriber?.close()
    (channel, subscriber) = (nil, nil)
    thread.stop()
  }

  // MARK: Events

  /// Sees all events of the planning meeting from now on.
  func follow() async throws(Status) {
    subscriber?.subscribe(to: .roster(of: .planning))
    let snapshot = try await snapshot()
    follower.reset(epoch: snapshot.epoch, sequence: snapshot.sequence)
  }

  private func catchUp(epoch: UInt64, after sequence: UInt64) {
    let request = V1.ReplayRequest(
      meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence)
    channel?.call(V1.PresenceMethods.replay, request, .init()) { [unowned self] in
      finishCatchUp($0)
    }
  }

  private func finishCatchUp(_ outcome: Result<V1.ReplayReply, Status>) {
    guard case .success(let reply) = outcome, let outcome = reply.outcome else {
      return follower.catchUpFailed()
    }
    switch outcome {
    case .events(let replayed): follower.caughtUp(with: replayed.events)
    case .snapshot(let snapshot):
      follower.reset(epoch: snapshot.epoch, sequence: snapshot.sequence)
    }
  }

  /// The first event that `isWanted`, once it is there.
  func event(_ isWanted: (SeenEvent) -> Bool) async throws -> SeenEvent {
    let (news, reader) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    readers.append(reader)
    reader.yield()
    for await _ in news {
      if let event = seen.first(where: isWanted) { return event }
    }
    throw CancellationError()
  }

  /// Whether such an event is there already.
  func hasSeen(_ isWanted: @Sendable (SeenEvent) -> Bool) -> Bool { seen.contains(where: isWanted) }

  // MARK: Requests

  func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, options: CallOptions = .init()
  ) async throws(Status) -> Reply {
    let outcome: Result<Reply, Status> = await withCheckedContinuation { continuation in
      start(method, request, options) { continuation.resume(returning: $0) }
    }
    return try outcome.get()
  }

  private func start<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, _ options: CallOptions,
    then: @escaping (Result<Reply, Status>) -> Void
  ) {
    guard let channel else {
      return then(.failure(Status(.unavailable, "The test's gateway is closed.")))
    }
    channel.call(method, request, options, then: then)
  }

  @discardableResult
  func join(
    _ person: Person, device: UInt8 = 0, in meeting: MeetingID = .planning,
    isResume: Bool = false, options: CallOptions = .init()
  ) async throws(Status) -> V1.JoinReply {
    let request = V1.JoinRequest(
      session: session(person, device, meeting), gateway: name, isResume: isResume, gatewayRun: 1)
    return try await call(V1.PresenceMethods.join, request, options: options)
  }

  func leave(_ person: Person, device: UInt8 = 0) async throws(Status) {
    _ = try await call(
      V1.PresenceMethods.leave,
      V1.LeaveRequest(
        meetingID: MeetingID.planning.text, sessionID: person.session(device).bytes))
  }

  func detach(_ person: Person, silentFor milliseconds: UInt32) async throws(Status) {
    _ = try await call(
      V1.PresenceMethods.detach,
      V1.DetachRequest(
        meetingID: MeetingID.planning.text, sessionID: person.session().bytes,
        silentMs: milliseconds))
  }

  func snapshot(of meeting: MeetingID = .planning) async throws(Status) -> V1.RosterSnapshot {
    try await call(V1.PresenceMethods.snapshot, V1.SnapshotRequest(meetingID: meeting.text))
  }

  func replay(epoch: UInt64, after sequence: UInt64) async throws(Status) -> V1.ReplayReply {
    try await call(
      V1.PresenceMethods.replay,
      V1.ReplayRequest(
        meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence))
  }

  func announce(_ people: [Person], isLast: Bool = true) async throws(Status) -> V1.AnnounceReply {
    try await call(
      V1.PresenceMethods.announce,
      V1.AnnounceRequest(
        gateway: name, sessions: people.map { session($0, 0, .planning) }, last: isLast,
        gatewayRun: 1))
  }

  /// Resumes a session; while presence has not answered, announces these and no more.
  func resume(
    _ person: Person, beforeAnnouncing people: [Person]
  ) async throws -> V1.JoinReply {
    let request = V1.JoinRequest(
      session: session(person, 0, .planning), gateway: name, isResume: true, gatewayRun: 1)
    let (answers, answer) = AsyncStream.makeStream(of: Result<V1.JoinReply, Status>.self)
    // One connection: the join is there before the announcement. When presence answers it depends on
    // when presence looks at who else is alive.
    start(V1.PresenceMethods.join, request, .init()) { answer.yield($0) }
    _ = try await announce(people)
    for await joined in answers { return try joined.get() }
    throw CancellationError()
  }

  /// Asks for a snapshot. Presence has the request when this returns.
  ///
  /// - Returns: Waits for the answer, and gives its status unless it is the snapshot.
  func beginSnapshot() async throws(Status) -> @Sendable () async -> Status? {
    let (answers, answer) = AsyncStream.makeStream(of: Status?.self)
    let request = V1.SnapshotRequest(meetingID: MeetingID.planning.text)
    start(V1.PresenceMethods.snapshot, request, .init()) { outcome in
      if case .failure(let status) = outcome { answer.yield(status) } else { answer.yield(nil) }
    }
    // One connection: presence reads in order.
    _ = try await sayAlive()
    return { await answers.first { _ in true } ?? nil }
  }

  func sayAlive() async throws(Status) -> V1.GatewayAliveReply {
    try await call(
      V1.PresenceMethods.gatewayAlive, V1.GatewayAliveRequest(gateway: name, gatewayRun: 1))
  }

  private func session(
    _ person: Person, _ device: UInt8, _ meeting: MeetingID
  ) -> V1.GatewaySession {
    V1.GatewaySession(
      meetingID: meeting.text, participantID: person.participant.text,
      externalUserID: person.identity.externalUserID.text,
      sessionID: person.session(device).bytes)
  }
}
