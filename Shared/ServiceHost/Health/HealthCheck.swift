internal import Synchronization

/// One health check, and the runs of the check that have not returned in time.
final class HealthCheck: Sendable {
  private enum Outcome {
    case passed
    case failed(String)
    case overdue
  }

  private let deadline: Duration
  private let clock: any Clock<Duration>
  private let check: @Sendable () async throws -> Void
  /// The runs that have not returned although their deadline has passed.
  private let hanging = Mutex(Set<Int>())
  private let runs = Atomic(0)

  init(
    deadline: Duration, clock: any Clock<Duration>,
    check: @escaping @Sendable () async throws -> Void
  ) {
    self.deadline = deadline
    self.clock = clock
    self.check = check
  }

  /// Runs the check, and waits for its result at most until the deadline.
  ///
  /// - Returns: The reason for a failure, or `nil` if the check passed.
  func failure() async -> String? {
    guard hanging.withLock({ $0.isEmpty }) else {
      return "an earlier run has not returned, although its \(deadline) are over"
    }
    switch await outcome() {
    case .passed: return nil
    case .failed(let reason): return reason
    case .overdue: return "no answer within \(deadline)"
    }
  }

  /// Runs the check until its deadline.
  ///
  /// The process must report a check that never returns, but a task group would wait for this
  /// check. So two separate tasks race. This method cancels the slower task, and does not wait for
  /// the end of that task. `hanging` prevents a second run while an earlier run has not returned.
  private func outcome() async -> Outcome {
    let run = runs.wrappingAdd(1, ordering: .relaxed).newValue
    let (outcomes, finish) = AsyncStream.makeStream(
      of: Outcome.self, bufferingPolicy: .bufferingOldest(1))
    let checking = Task { [self] in
      do {
        try await check()
        finish.yield(.passed)
      } catch {
        finish.yield(.failed("\(error)"))
      }
      finish.finish()
      hanging.withLock { _ = $0.remove(run) }
    }
    let waiting = Task { [self] in
      do { try await clock.sleep(for: deadline) } catch { return }
      hanging.withLock { _ = $0.insert(run) }
      finish.yield(.overdue)
    }
    var iterator = outcomes.makeAsyncIterator()
    let outcome = await iterator.next() ?? .overdue
    checking.cancel()
    waiting.cancel()
    return outcome
  }
}
