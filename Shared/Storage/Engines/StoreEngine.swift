/// What keeps a store: a file of SQLite, or tables in PostgreSQL.
protocol StoreEngine: Sendable {
  /// Where it is, for errors. Holds no password.
  var place: String { get }

  /// Reads one consistent state.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value

  /// Runs on the one connection that writes, one turn behind the other, never on the caller's
  /// thread.
  func enqueue(_ turn: @escaping @Sendable (any WritingTurn) -> Void)

  /// Throws if what was committed is not where it was: behind each commit.
  func checkPlace() throws

  /// Throws unless it can be written to now. Changes nothing.
  func check() async throws

  /// Overwrites what is left of rows that were deleted from these tables.
  func scrub(_ tables: [String]) async throws
}

/// The writing connection, for a turn.
protocol WritingTurn {
  /// Does `work` in a transaction. It may be begun anew on another connection, where the first was
  /// lost before anything was committed.
  func transaction<Value>(_ work: (Database) throws -> Value) throws -> Value
}

extension StoreEngine {
  /// What an error of the engine means to who asked for what failed.
  func failure(_ error: any Error) -> StorageError {
    if let damage = error as? Row.Damage {
      return .corrupt(path: place, cause: "A value in column \(damage.column) is impossible.")
    }
    return StorageError(error, at: place)
  }

  /// Does `body` in a transaction of its own. Runs to its end also when the calling task is
  /// cancelled.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let value = try await withCheckedThrowingContinuation { continuation in
      enqueue { turn in continuation.resume(with: Result { try turn.transaction(body) }) }
    }
    try checkPlace()
    return value
  }
}
