internal import GRDB

/// Opens a database file that several processes share.
enum DatabaseFile {
  /// How long who opens a file waits for those who opened it before.
  private static let turnTimeout = Duration.seconds(60)

  /// What a connection that reads keeps of the file, in KiB. It forgets all of it as soon as
  /// somebody has written, and the kernel has the pages anyway; SQLite would take 2 MB for each.
  private static let readerCacheKiB = 256

  /// Opens or creates the file in WAL mode and brings its tables up to date.
  ///
  /// A new file gets mode 0600, and so do the two that SQLite keeps beside it, and the lock by
  /// which processes that start together open it one after the other. Together they would get in
  /// each other's way: SQLite gives up at once where two switch a new file to WAL mode, and on a
  /// slow disk each migration would have to wait for those of all others.
  ///
  /// - Parameters:
  ///   - busyTimeout: How long a statement waits for another process's lock.
  ///   - pageSize: In bytes, of a file that is made anew; one that is there keeps its own.
  ///   - renumbering: SQL that is run if the file was restored from a copy (``RestoredFile``).
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
        if !renumbering.isEmpty { try RestoredFile.renumber(pool, by: renumbering) }
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
    // GRDB sets NORMAL when it turns on WAL mode, and with it a power failure loses what was
    // acknowledged. The pool writes on one connection, so setting this once holds.
    try pool.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    guard try !pool.read(migrator.hasBeenSuperseded) else {
      throw StorageError.newerSchema(path: path)
    }
    // An up-to-date file is not written to, so that a process that holds it stops no start.
    if try !pool.read(migrator.hasCompletedMigrations) { try migrator.migrate(pool) }
    return pool
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
