internal import Synchronization

/// Group commit for a store: concurrent writes share one commit.
///
/// A commit to disk costs more than most writes, and the cost does not depend on the number of
/// writes in the commit.
///
/// For the caller, each write is a transaction. The write applies completely or not at all, and
/// sees all earlier writes. The call returns when the write is durable. After a failed write, the
/// transaction still commits the other writes. If the commit fails, or the engine aborts the
/// transaction, all writes of the commit fail.
final class GroupCommit: Sendable {
  private let engine: any StoreEngine
  private let state = Mutex(State())

  /// The maximum number of writes per commit. This maximum limits how long the first write waits
  /// for the other writes.
  static let most = 64

  private struct State {
    var waiting: [PendingWrite] = []

    /// Whether a turn for the waiting writes is already in the writer's queue.
    var isScheduled = false
  }

  init(in engine: any StoreEngine) { self.engine = engine }

  /// Runs `body` in a transaction.
  ///
  /// If the task is already cancelled, writes nothing. If somebody cancels the task later, the task
  /// still receives the result of its write.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      add(PendingWrite(body, telling: continuation))
    }
  }

  /// The number of waiting writes. Each caller has at most one waiting write.
  var depth: Int { state.withLock { $0.waiting.count } }

  private func add(_ write: PendingWrite) {
    let isFirst = state.withLock { state in
      state.waiting.append(write)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { schedule() }
  }

  private func schedule() {
    engine.enqueue { [self] turn in take(turn) }
  }

  private func take(_ turn: any TransactionRunner) {
    let (writes, areMore) = state.withLock { state in
      let writes = Array(state.waiting.prefix(Self.most))
      state.waiting.removeFirst(writes.count)
      state.isScheduled = !state.waiting.isEmpty
      return (writes, state.isScheduled)
    }
    commit(writes, in: turn)
    if areMore { schedule() }
  }

  private func commit(_ writes: [PendingWrite], in turn: any TransactionRunner) {
    let tell: [@Sendable () -> Void]
    do {
      tell = try turn.transaction { database in
        try writes.map { try $0.perform(database) }
      }
      // The check must precede every acknowledgement.
      try engine.checkPlace()
    } catch {
      for write in writes { write.fail(error) }
      return
    }
    for each in tell { each() }
  }
}

/// A waiting write. ``GroupCommit`` calls exactly one of two closures, and calls it once: `fail`,
/// or the closure that `perform` returns.
private struct PendingWrite: Sendable {
  /// Runs the write within a transaction, and returns a closure that notifies the caller after the
  /// commit.
  ///
  /// Throws an error if the transaction has ended.
  let perform: @Sendable (Database) throws -> @Sendable () -> Void
  let fail: @Sendable (any Error) -> Void

  init<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value,
    telling continuation: CheckedContinuation<Value, any Error>
  ) {
    perform = { database in
      do {
        let value = try database.savepoint { try body(database) }
        return { continuation.resume(returning: value) }
      } catch  where database.isInsideTransaction {
        return { continuation.resume(throwing: error) }
      }
    }
    fail = { continuation.resume(throwing: $0) }
  }
}
