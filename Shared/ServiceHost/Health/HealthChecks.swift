internal import Synchronization

/// The conditions under which a process accepts work. `/readyz` reports these conditions.
public final class HealthChecks: Sendable {
  private struct State {
    var checks: [String: HealthCheck] = [:]
    var isDraining = false
  }

  private let state = Mutex(State())
  private let clock: any Clock<Duration>

  /// Makes an empty set of checks.
  ///
  /// - Parameter clock: The clock for the checks' deadlines.
  public init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
  }

  /// Adds a check.
  ///
  /// - Parameters:
  ///   - name: The name in the answer, such as `storage`; one check per name.
  ///   - deadline: The time after which the check counts as failed and is cancelled. A check may
  ///     ignore the cancellation, for example because it waits for a thread that hangs. Such a
  ///     check does not start again until it has returned.
  ///   - check: Throws an error if the process is not ready. Operators see the error's description,
  ///     so the description must not contain secrets. Every request to `/readyz` runs the check,
  ///     and runs may overlap.
  public func register(
    _ name: String, within deadline: Duration = .seconds(1),
    check: @escaping @Sendable () async throws -> Void
  ) {
    state.withLock { state in
      precondition(state.checks[name] == nil, "There is already a health check \(name).")
      state.checks[name] = HealthCheck(deadline: deadline, clock: clock, check: check)
    }
  }

  /// Whether somebody has asked the process to stop, so that the process must reject new work.
  public var isDraining: Bool {
    state.withLock { $0.isDraining }
  }

  /// Makes `/readyz` answer that the process is draining.
  func beginDrain() {
    state.withLock { $0.isDraining = true }
  }

  /// Runs all checks concurrently.
  func readiness() async -> Readiness {
    let (checks, isDraining) = state.withLock { ($0.checks, $0.isDraining) }
    guard !isDraining else { return .draining }
    let failures = await withTaskGroup(of: Readiness.Failure?.self) { group in
      for (name, check) in checks {
        group.addTask {
          await check.failure().map { Readiness.Failure(check: name, reason: $0) }
        }
      }
      var failures: [Readiness.Failure] = []
      for await failure in group {
        if let failure { failures.append(failure) }
      }
      return failures
    }
    guard !failures.isEmpty else { return .ready }
    return .failing(failures.sorted { $0.check < $1.check })
  }
}
