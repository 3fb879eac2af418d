internal import GRDB
internal import Synchronization

/// Writes to a database file, of which those that wait at the same time share a commit: reaching
/// the disk costs more than all that most of them do, and as much for many as for one.
///
/// Each write is a transaction to its caller: it does everything or nothing, sees what came before
/// it, and returns when it is on the disk. One that fails takes nothing with it but itself; if the
/// commit fails, or SQLite gives the whole transaction up, all that shared it fail with that.
final class SharedCommits: Sendable {
  private let pool: DatabasePool
  private let state = Mutex(State())

  /// Runs behind each commit, before anybody is told of it: what it throws fails all.
  private let check: @Sendable () throws -> Void

  /// As many writes share a commit at most, so that the first one's answer is not held up by all
  /// that others want.
  static let most = 64

  private struct State {
    var waiting: [PendingWrite] = []

    /// Whether the writer's queue has a turn in store for those that wait.
    var isScheduled = false
  }

  init(in pool: DatabasePool, check: @escaping @Sendable () throws -> Void) {
    (self.pool, self.check) = (pool, check)
  }

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
    // Runs on the pool's own queue, one turn behind the other.
    pool.asyncWriteWithoutTransaction { [self] database in takeTurn(in: database) }
  }

  private func takeTurn(in database: Database) {
    let (writes, areMore) = state.withLock { state in
      let writes = Array(state.waiting.prefix(Self.most))
      state.waiting.removeFirst(writes.count)
      state.isScheduled = !state.waiting.isEmpty
      return (writes, state.isScheduled)
    }
    commit(writes, in: database)
    if areMore { schedule() }
  }

  private func commit(_ writes: [PendingWrite], in database: Database) {
    var tell: [@Sendable () -> Void] = []
    do {
      try database.inCachedTransaction {
        for write in writes { tell.append(try write.perform(database)) }
      }
      try check()
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
        let value = try database.inCachedSavepoint { try body(database) }
        return { continuation.resume(returning: value) }
      } catch  where database.isInsideTransaction {
        return { continuation.resume(throwing: error) }
      }
    }
    fail = { continuation.resume(throwing: $0) }
  }
}
