public import PostgreSQL

/// The location of an installation's persistent data.
public enum StoreLocation: Hashable, Sendable {
  /// SQLite files in this directory, for the processes of one machine.
  case directory(String)

  /// PostgreSQL, for the processes of several machines.
  case postgresql(PostgresAddress)

  /// Returns the store's engine. Blocks until the engine is open.
  ///
  /// - Parameters:
  ///   - sqlite: Opens the file in a directory.
  ///   - schema: The tables in PostgreSQL.
  ///   - writing: The kind of transaction that the engine uses for writes to PostgreSQL.
  func engine(
    sqlite: (_ directory: String) throws(StorageError) -> SQLiteEngine,
    postgresql schema: PostgresSchema, writing: PostgresTransactionKind
  ) throws(StorageError) -> any StoreEngine {
    switch self {
    case .directory(let path): try sqlite(path)
    case .postgresql(let address): try PostgresEngine(address, schema, writing: writing)
    }
  }
}
