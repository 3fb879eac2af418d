import ServiceLifecycle
import Synchronization
import Testing
import UnixSignals

@testable import ServiceHost

@Suite(.timeLimit(.minutes(5))) struct SupervisorTests {
  private struct Trouble: Error {}

  private let journal = Journal()
  private let health = HealthChecks()
  private let signals = AsyncStream.makeStream(of: UnixSignal.self)

  private func run(
    _ services: [any Service], drainDeadline: Duration, timeout: Duration = .seconds(3600)
  ) async throws {
    let supervisor = Supervisor(
      services: services, health: health, logger: silent, drainDeadline: drainDeadline,
      timeout: timeout, leave: { [journal] in journal.left(with: $0) })
    try await supervisor.run(until: signals.stream)
  }

  @Test func `services stop in reverse order while the process drains`() async throws {
    let first = Polite(name: "first", journal: journal, health: health)
    let second = Polite(name: "second", journal: journal, health: health) { [signals] in
      signals.continuation.yield(.sigterm)
    }
    try await run([first, second], drainDeadline: .seconds(3600))
    #expect(journal.entries == ["second draining true", "first draining true"])
  }

  @Test func `a service that never ends is cancelled at the deadline`() async {
    let stubborn = Closure { [signals] in
      signals.continuation.yield(.sigint)
      try await Task.sleep(for: .seconds(3600))
    }
    await #expect(throws: HostError.drainTimedOut(after: .zero)) {
      try await run([stubborn], drainDeadline: .zero)
    }
    #expect(journal.entries == [])
  }

  @Test func `the process exits despite a service that ignores cancellation`() async {
    let deaf = Closure { [signals, journal] in
      signals.continuation.yield(.sigterm)
      await Task { await journal.untilLeft() }.value
    }
    await #expect(throws: HostError.drainTimedOut(after: .zero)) {
      try await run([deaf], drainDeadline: .zero, timeout: .zero)
    }
    #expect(journal.entries == ["left with 70"])
  }

  @Test func `a second signal ends the process immediately`() async throws {
    let slow = Closure { [signals, journal] in
      signals.continuation.yield(.sigterm)
      try await gracefulShutdown()
      signals.continuation.yield(.sigint)
      await Task { await journal.untilLeft() }.value
    }
    try await run([slow], drainDeadline: .seconds(3600))
    #expect(journal.entries == ["left with 130"])
  }

  @Test func `the failure of a service stops the other services`() async {
    let polite = Polite(name: "polite", journal: journal, health: health)
    await #expect(throws: Trouble.self) {
      try await run([polite, Closure { throw Trouble() }], drainDeadline: .seconds(3600))
    }
    #expect(journal.entries == ["polite draining true"])
  }

  @Test func `a service that ends without a stop request is a failure`() async {
    let polite = Polite(name: "polite", journal: journal, health: health)
    await #expect(throws: HostError.serviceEnded(name: "Closure")) {
      try await run([polite, Closure {}], drainDeadline: .seconds(3600))
    }
    #expect(journal.entries == ["polite draining true"])
  }
}

/// The events in order.
private final class Journal: Sendable {
  private let list = Mutex<[String]>([])
  private let leaving = AsyncStream.makeStream(of: Never.self)

  func note(_ entry: String) { list.withLock { $0.append(entry) } }
  var entries: [String] { list.withLock { $0 } }

  func left(with status: Int32) {
    note("left with \(status)")
    leaving.continuation.finish()
  }

  /// Returns when the process would have exited.
  func untilLeft() async {
    for await _ in leaving.stream {}
  }
}

/// A service that stops when the supervisor asks for the stop.
private struct Polite: Service {
  let name: String
  let journal: Journal
  let health: HealthChecks
  var whenRunning: @Sendable () -> Void = {}

  func run() async throws {
    whenRunning()
    try await gracefulShutdown()
    journal.note("\(name) draining \(health.isDraining)")
  }
}

private struct Closure: Service {
  let body: @Sendable () async throws -> Void

  init(_ body: @escaping @Sendable () async throws -> Void) { self.body = body }

  func run() async throws { try await body() }
}
