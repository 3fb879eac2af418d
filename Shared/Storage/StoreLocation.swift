public import PostgreSQL

/// Where an installation keeps what must survive a restart.
public enum StoreLocation: Hashable, Sendable {
  /// In files of SQLite in this directory, for the processes of one machine.
  case directory(String)

  /// In PostgreSQL, for those of several.
  case postgresql(PostgresAddress)

  /// The store's engine. Blocks until it is open.
  ///
  /// - Parameters:
  ///   - sqlite: Opens the file in a directory.
  ///   - schema: The tables in PostgreSQL.
  ///   - writing: What a writing transaction is there.
  func engine(
    sqlite: (_ directory: String) throws(StorageError) -> SQLiteEngine,
    postgresql schema: PostgresSchema, writing: PostgresTransaction
  ) throws(StorageError) -> any StoreEngine {
    switch self {
    case .directory(let path): try sqlite(path)
    case .postgresql(let address): try PostgresEngine(address, schema, writing: writing)
    }
  }
}
