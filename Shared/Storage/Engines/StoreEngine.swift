/// The storage of a store: a SQLite file, or tables in PostgreSQL.
protocol StoreEngine: Sendable {
  /// The store's location for error messages, without a password.
  var place: String { get }

  /// Reads one consistent state.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value

  /// Enqueues a turn on the single writing connection. Turns run in order, and never on the
  /// caller's thread.
  func enqueue(_ turn: @escaping @Sendable (any TransactionRunner) -> Void)

  /// Checks after a commit that the data is still in its place. Throws an error if the check fails.
  func checkPlace() throws

  /// Checks, without changing the store, that the store is writable. Throws an error if the check
  /// fails.
  func check() async throws

  /// Overwrites the remains of deleted rows of these tables.
  func scrub(_ tables: [String]) async throws
}

/// The writing connection during one turn.
protocol TransactionRunner {
  /// Runs `work` in a transaction. After a loss of the connection before a commit, `work` may run
  /// again on a new connection.
  func transaction<Value>(_ work: (Database) throws -> Value) throws -> Value
}

extension StoreEngine {
  /// Converts an error of the engine to a ``StorageError``.
  func failure(_ error: any Error) -> StorageError {
    if let damage = error as? SQLRow.Damage {
      return .corrupt(path: place, cause: "A value in column \(damage.column) is impossible.")
    }
    return StorageError(error, at: place)
  }

  /// Runs `body` in its own transaction, which completes even after the cancellation of the calling
  /// task.
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
