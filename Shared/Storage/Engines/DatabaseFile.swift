internal import GRDB

/// Opens a database file that several processes share.
enum DatabaseFile {
  /// Opens or creates the file in WAL mode and brings its tables up to date.
  ///
  /// A new file gets mode 0600, and so do the two that SQLite keeps beside it.
  ///
  /// - Parameters:
  ///   - busyTimeout: How long a statement waits for another process's lock.
  ///   - pageSize: In bytes, of a file that is made anew; one that is there keeps its own.
  static func open(
    _ path: String, migratedBy migrator: DatabaseMigrator, busyTimeout: Duration,
    pageSize: Int = 4096
  ) throws(StorageError) -> DatabasePool {
    let deadline = ContinuousClock.now + busyTimeout
    while true {
      do {
        try PrivateFile.create(path, holding: [])
        return try openOnce(path, migrator, busyTimeout, pageSize)
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < deadline
      {
        // Two processes that switch a new file to WAL mode get in each other's way, and SQLite
        // then gives up at once instead of waiting: the second to try again finds it done.
        continue
      } catch let failure as PrivateFile.Failure {
        throw .unavailable(path: path, cause: failure.text)
      } catch {
        throw StorageError(error, at: path)
      }
    }
  }

  private static func openOnce(
    _ path: String, _ migrator: DatabaseMigrator, _ busyTimeout: Duration, _ pageSize: Int
  ) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(busyTimeout / .seconds(1))
    configuration.label = "carillon.storage"
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA page_size = \(pageSize)") }
    let pool = try DatabasePool(path: path, configuration: configuration)
    // GRDB sets NORMAL when it turns on WAL mode, and with it a power failure loses what was
    // acknowledged. The pool writes on one connection, so setting this once holds.
    try pool.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    guard try !pool.read(migrator.hasBeenSuperseded) else {
      throw StorageError.newerSchema(path: path)
    }
    try migrate(pool, migrator)
    return pool
  }

  /// Each migration is one transaction. When another process applies the same one first ours
  /// fails and changes nothing; that is no error as long as somebody gets ahead.
  private static func migrate(_ pool: DatabasePool, _ migrator: DatabaseMigrator) throws {
    var completed = try pool.read(migrator.completedMigrations).count
    while completed < migrator.migrations.count {
      let failure = Result { try migrator.migrate(pool) }
      let before = completed
      completed = try pool.read(migrator.completedMigrations).count
      if completed == before { try failure.get() }
    }
  }
}

extension DatabasePool {
  /// Rewrites the file, so that nothing is left in it of what was deleted, and empties the log
  /// beside it. Readers that are under way keep the log for a moment.
  func scrub() async throws {
    try await vacuum()
    _ = try await writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  /// What an error of a statement on this file means to who asked for it.
  func failure(_ error: any Error) -> StorageError {
    if let damage = error as? Row.Damage {
      return .corrupt(path: path, cause: "A value in column \(damage.column) is impossible.")
    }
    return StorageError(error, at: path)
  }
}
