import Bus
import Foundation
import Logging
import MeetingModel
import ServiceHost
import Synchronization
import TestSupport
import Testing
import Wire
import ZeroMQ

@testable import Ownership

@Suite(.timeLimit(.minutes(5))) struct OwningServiceTests {
  @Test func `each run of a service has a new term and releases the service's name at the end`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      var terms: [UInt64] = []
      for _ in 0..<2 {
        let registered = try await withBook(in: directory) { book in
          try await book.checkIsServing()
          return try registry.instances(of: "book").first
        }
        #expect(registered?.endpoints["other"] == "here")
        terms.append(registered?.term ?? 0)
        let left = try registry.instances(of: "book")
        #expect(left.isEmpty)
      }
      #expect(terms == [1, 2])
    }
  }

  @Test func `a service that fails to open throws the error and releases the service's name`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      await #expect(throws: Status.self) {
        try await withBook(in: directory, opensNot: true) { _ in }
      }
      let left = try registry.instances(of: "book")
      #expect(left.isEmpty)
    }
  }

  @Test func `a stall of the service thread extends the time that gateways may be silent`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let clock = ManualClock()
      try await withBook(in: directory, clock: clock) { book in
        let before = await book.excused()
        clock.advance(by: .milliseconds(1_200))
        let after = await book.excused()
        let later = await book.excused()
        #expect(before == .zero && after == .milliseconds(1_200) && later == after)
      }
    }
  }

  @Test(arguments: [true, false])
  func `without access to the registry, an owner serves while no gateway knows a rival`(
    isVouchedFor: Bool
  ) async throws {
    try await withTemporaryDirectory { directory in
      let registry = LeavingRegistry(RuntimeDirectoryRegistry(runtimeDirectory: directory))
      let rival = try registry.register(
        InstanceAnnouncement(service: "book", instance: "book-b", endpoints: [:]))
      try rival.heartbeat()
      let clock = ManualClock()
      try await withBook(
        in: directory, registry: registry, isVouchedFor: isVouchedFor, clock: clock
      ) { book in
        let before = await book.term
        // An instance that has seen the other instance checks its own lease.
        try await eventually("the rival to be seen") { await book.hasRivals }
        registry.isAway.withLock { $0 = true }
        // Four seconds pass in steps of 0.5 s. In each step, the instance tries to send a
        // heartbeat.
        for _ in 0..<8 {
          clock.advance(by: .milliseconds(500))
          let asked = registry.refusals.withLock { $0 }
          try await eventually("the registry to be asked twice more") {
            registry.refusals.withLock { $0 } >= asked + 2
          }
        }
        #expect(await book.isOpen == isVouchedFor)
        registry.isAway.withLock { $0 = false }
        try await eventually("the service to serve") { await book.isOpen }
        #expect(await (book.term == before) == isVouchedFor)
      }
    }
  }
}

/// A registry that can be unreachable, like the store of several machines.
private final class LeavingRegistry: Registry {
  let isAway = Mutex(false)

  /// The number of calls while the registry was unreachable.
  let refusals = Mutex(0)
  private let registry: RuntimeDirectoryRegistry

  init(_ registry: RuntimeDirectoryRegistry) { self.registry = registry }

  private struct Held: InstanceRegistration {
    let registration: any InstanceRegistration
    let registry: LeavingRegistry
    var term: UInt64 { registration.term }

    func heartbeat(meetings: Int) throws(InstanceRegistryError) {
      try registry.check()
      try registration.heartbeat(meetings: meetings)
    }

    func withdraw() { registration.withdraw() }
  }

  private func check() throws(InstanceRegistryError) {
    guard isAway.withLock({ $0 }) else { return }
    refusals.withLock { $0 += 1 }
    throw .storeIsAway("The test has taken it away.")
  }

  func register(
    _ announcement: InstanceAnnouncement
  ) throws(InstanceRegistryError) -> any InstanceRegistration {
    try check()
    return Held(registration: try registry.register(announcement), registry: self)
  }

  func instances(of service: String) throws(InstanceRegistryError) -> [RegisteredInstance] {
    try check()
    return try registry.instances(of: service)
  }

  func services() throws(InstanceRegistryError) -> [String] {
    try check()
    return try registry.services()
  }

  func setDraining(
    _ isDraining: Bool, _ instance: String, of service: String
  ) throws(InstanceRegistryError) { try registry.setDraining(isDraining, instance, of: service) }
}

/// A clock that only the test moves.
private final class ManualClock: Sendable {
  private let instant = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { instant.withLock { $0 } }

  func advance(by duration: Duration) { instant.withLock { $0 += duration } }
}

/// Runs a service that owns guest books while `body` runs.
private func withBook<Result: Sendable>(
  in directory: String, registry: (any Registry)? = nil, opensNot: Bool = false,
  isVouchedFor: Bool = false, clock: ManualClock = ManualClock(),
  _ body: @Sendable (BookService) async throws -> Result
) async throws -> Result {
  let book = BookService(
    OwnerInstance(
      service: "book", instance: "book-a",
      requests: try Endpoint.ipc(directory + "/book-a.rpc.sock"),
      events: try Endpoint.ipc(directory + "/book-a.events.sock"), others: ["other": "here"]),
    registry: registry ?? RuntimeDirectoryRegistry(runtimeDirectory: directory),
    in: try ZMQContext(), on: SocketThread(name: "book"), opensNot: opensNot,
    isVouchedFor: isVouchedFor, clock: clock)
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await book.run() }
    if opensNot { try await group.next() }
    await book.opened()
    let result = try await body(book)
    group.cancelAll()
    try await group.waitForAll()
    return result
  }
}

/// A service that owns guest books and answers no requests.
private actor BookService: DecisionCoreService {
  let owner: MeetingOwner
  var core = Books()
  private let thread: SocketThread
  private let opensNot: Bool
  private var waiting: CheckedContinuation<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(
    _ place: OwnerInstance, registry: any Registry, in context: ZMQContext, on thread: SocketThread,
    opensNot: Bool, isVouchedFor: Bool, clock: ManualClock
  ) {
    core.isVouchedFor = isVouchedFor
    self.thread = thread
    self.opensNot = opensNot
    owner = MeetingOwner(
      place, streams: .init("books", on: EventTopic.roster(of:), keeping: 16), registry: registry,
      in: context, on: thread,
      metrics: MeetingOwnerMetrics(of: "book", refusedFor: Reason.self, in: MetricsRegistry()),
      logger: Logger(label: "book") { _ in SwiftLogNoOpLogHandler() },
      beatInterval: .milliseconds(10), clock: { clock.now })
  }

  func open() throws {
    if opensNot { throw Status(.internalError, "It opens not.") }
    _ = try owner.open()
    waiting?.resume()
    waiting = nil
  }

  func carryOut(_ effect: String) {}

  var hasRivals: Bool { owner.hasRivals }
  var isOpen: Bool { owner.isOpen }

  /// Returns when the service is open.
  func opened() async {
    if owner.isOpen { return }
    await withCheckedContinuation { waiting = $0 }
  }

  /// Returns the length of the stall that the service reported to the core before this decision.
  func excused() -> Duration { decide { core, _ in core.excused } }
}

private struct Books: DecisionCore {
  var excused = Duration.zero
  var isVouchedFor = false
  let isRecovering = false
  let meetingCount = 0
  let nextDeadline: ContinuousClock.Instant? = nil

  func isRecovering(_ meeting: MeetingID) -> Bool { false }
  func serves(_ meeting: MeetingID) -> Bool { true }
  mutating func take(_ share: OwnedMeetings, at now: ContinuousClock.Instant) {}
  mutating func advance(to now: ContinuousClock.Instant) {}
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool { isVouchedFor }
  mutating func expect(_ gateways: Set<GatewayName>, at now: ContinuousClock.Instant) {}
  mutating func excuseSilence(of stall: Duration) { excused += stall }
  mutating func takeEffects() -> [String] { [] }
}

private enum Reason: String, RefusalReason {
  case other
  init(_ error: any Error) { self = .other }
}
