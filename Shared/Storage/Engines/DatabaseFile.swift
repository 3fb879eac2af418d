internal import GRDB

/// Opens a database file that several processes share.
enum DatabaseFile {
  /// The longest wait for other processes that are opening the file.
  private static let turnTimeout = Duration.seconds(60)

  /// The page cache of a reading connection, in KiB.
  ///
  /// A connection discards its cache after each write, and the kernel caches the pages anyway.
  /// SQLite's default is 2 MB per connection.
  private static let readerCacheKiB = 256

  /// Opens or creates the file in WAL mode, and migrates its tables.
  ///
  /// A new file gets mode 0600. SQLite's two additional files and the lock file get the same mode.
  /// A process keeps the lock while it opens the file, so processes that start together open the
  /// file one after another. Without the lock, SQLite fails immediately when two processes switch a
  /// new file to WAL mode. On a slow disk, each migration would also wait for all other migrations.
  ///
  /// - Parameters:
  ///   - busyTimeout: How long a statement waits for another process's lock.
  ///   - pageSize: The page size of a new file, in bytes; an existing file keeps its page size.
  ///   - renumbering: SQL to run if an operator has restored the file from a copy
  ///     (``DatabaseRestoreDetector``).
  static func open(
    _ path: String, migratedBy migrator: DatabaseMigrator, busyTimeout: Duration,
    pageSize: Int = 4096, renumbering: String = ""
  ) throws(StorageError) -> DatabasePool {
    func unavailable(_ failure: PrivateFile.Failure) -> StorageError {
      .unavailable(path: path, cause: failure.text)
    }
    return try PrivateFile.locked(path, within: turnTimeout) { () throws(StorageError) in
      do {
        try PrivateFile.create(path, holding: [])
        let pool = try openAlone(path, migrator, busyTimeout, pageSize)
        if !renumbering.isEmpty { try DatabaseRestoreDetector.renumber(pool, by: renumbering) }
        return pool
      } catch let failure as PrivateFile.Failure {
        throw unavailable(failure)
      } catch {
        throw StorageError(error, at: path)
      }
    } failing: {
      unavailable($0)
    }
  }

  private static func openAlone(
    _ path: String, _ migrator: DatabaseMigrator, _ busyTimeout: Duration, _ pageSize: Int
  ) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(busyTimeout / .seconds(1))
    configuration.label = "carillon.storage"
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA page_size = \(pageSize)")
      if database.configuration.readonly {
        try database.execute(sql: "PRAGMA cache_size = -\(readerCacheKiB)")
      }
    }
    let pool = try DatabasePool(path: path, configuration: configuration)
    // GRDB sets `synchronous` to NORMAL in WAL mode. With NORMAL, a power failure loses
    // acknowledged data. The pool has only one writing connection, so one setting suffices.
    try pool.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    guard try !pool.read(migrator.hasBeenSuperseded) else {
      throw StorageError.newerSchema(path: path)
    }
    // This code does not write to a file whose tables are up to date. So another process that has
    // locked the file does not delay the start.
    if try !pool.read(migrator.hasCompletedMigrations) { try migrator.migrate(pool) }
    return pool
  }
}

extension DatabasePool {
  /// Rewrites the file without any content of deleted rows, and truncates the write-ahead log.
  ///
  /// A transaction that is reading delays the truncation.
  func scrub() async throws {
    try await vacuum()
    _ = try await writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  /// Converts an error of a statement on this file to a ``StorageError``.
  func failure(_ error: any Error) -> StorageError {
    if let damage = error as? SQLRow.Damage {
      return .corrupt(path: path, cause: "A value in column \(damage.column) is impossible.")
    }
    return StorageError(error, at: path)
  }
}
