internal import Glibc

extension ShutdownSignals {
  /// Runs `work`. The first SIGINT or SIGTERM calls `stop`. The second signal ends the process.
  ///
  /// - Parameters:
  ///   - stop: Requests that the work end.
  ///   - beforeExit: Called before the process ends.
  package static func heeding<Result>(
    _ stop: @escaping @Sendable () -> Void, beforeExit: @escaping @Sendable () -> Void = {},
    _ work: () async throws -> Result
  ) async throws -> Result {
    let signals = ShutdownSignals()
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        guard await signals.next() != nil else { return }
        stop()
        guard let second = await signals.next() else { return }
        beforeExit()
        exit(128 + second)
      }
      defer { tasks.cancelAll() }
      return try await work()
    }
  }
}
