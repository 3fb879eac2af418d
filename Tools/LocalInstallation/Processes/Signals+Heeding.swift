internal import Glibc

extension Signals {
  /// Does something; meanwhile a first SIGINT or SIGTERM asks for its end, and a second one ends
  /// the process.
  ///
  /// - Parameters:
  ///   - stop: Asks for the end.
  ///   - beforeExit: Called before the process is ended.
  package static func heeding<Result>(
    _ stop: @escaping @Sendable () -> Void, beforeExit: @escaping @Sendable () -> Void = {},
    _ work: () async throws -> Result
  ) async throws -> Result {
    let signals = Signals()
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
