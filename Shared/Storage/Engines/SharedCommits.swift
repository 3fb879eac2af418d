internal import Synchronization

/// Writes to a store, of which those that wait at the same time share a commit: reaching the disk
/// costs more than all that most of them do, and as much for many as for one.
///
/// Each write is a transaction to its caller: it does everything or nothing, sees what came before
/// it, and returns when it is on the disk. One that fails takes nothing with it but itself; if the
/// commit fails, or the engine gives the whole transaction up, all that shared it fail with that.
final class SharedCommits: Sendable {
  private let engine: any StoreEngine
  private let state = Mutex(State())

  /// As many writes share a commit at most, so that the first one's answer is not held up by all
  /// that others want.
  static let most = 64

  private struct State {
    var waiting: [PendingWrite] = []

    /// Whether the writer's queue has a turn in store for those that wait.
    var isScheduled = false
  }

  init(in engine: any StoreEngine) { self.engine = engine }

  /// Does `body` in a transaction.
  ///
  /// A task that is cancelled by then does nothing; one that is cancelled later is told what came
  /// of its write all the same.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      add(PendingWrite(body, telling: continuation))
    }
  }

  /// How many writes wait for their turn; never more than callers.
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

  private func take(_ turn: any WritingTurn) {
    let (writes, areMore) = state.withLock { state in
      let writes = Array(state.waiting.prefix(Self.most))
      state.waiting.removeFirst(writes.count)
      state.isScheduled = !state.waiting.isEmpty
      return (writes, state.isScheduled)
    }
    commit(writes, in: turn)
    if areMore { schedule() }
  }

  private func commit(_ writes: [PendingWrite], in turn: any WritingTurn) {
    let tell: [@Sendable () -> Void]
    do {
      tell = try turn.transaction { database in
        try writes.map { try $0.perform(database) }
      }
      // Before anybody is told.
      try engine.checkPlace()
    } catch {
      for write in writes { write.fail(error) }
      return
    }
    for each in tell { each() }
  }
}

/// A write that waits for its turn. Exactly one of what ``perform`` returns and ``fail`` is called,
/// once.
private struct PendingWrite: Sendable {
  /// Does the work within a transaction, and returns what tells the caller of it once that is
  /// committed. Throws when the transaction is over.
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
