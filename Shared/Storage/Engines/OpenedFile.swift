internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// A database file as it was when it was opened, and the log that SQLite keeps beside it.
///
/// SQLite goes on writing to a file that was deleted, replaced or cut short under it, and says that
/// all is well: what is acknowledged from then on is nowhere. Two calls of stat(2) tell.
final class OpenedFile: Sendable {
  private let path: String
  private let stamps: Mutex<[String: PrivateFile.Stamp]>

  /// - Parameter path: Of a database that is open, in WAL mode.
  init(_ path: String) {
    self.path = path
    stamps = Mutex([:])
  }

  /// Throws ``StorageError/unavailable(path:cause:)`` from the moment on at which one of the files
  /// is not the one that was there at the first call, or the database is shorter than its header
  /// says. It shrinks when somebody has erased a user, here or in another process; the log shrinks
  /// by itself.
  ///
  /// - Parameter pool: The database's.
  func check(_ pool: DatabasePool) throws(StorageError) {
    if try isShorter(path) {
      let isWhole: Bool
      do { isWhole = try pool.unsafeRead { try $0.hasAllPages() } } catch {
        throw StorageError(error, at: path)
      }
      guard isWhole else { throw lost(path) }
      try keep(path)
    }
    _ = try isShorter(path + "-wal")
  }

  /// Throws unless the database is the one that was opened and can be written to now. Changes
  /// nothing.
  func check(writingTo pool: DatabasePool) async throws(StorageError) {
    do {
      try await pool.writeWithoutTransaction { database in
        try database.inTransaction(.immediate) { .rollback }
      }
      try check(pool)
    } catch { throw pool.failure(error) }
  }

  /// Whether a file is shorter than it was when somebody looked last. Throws if it is another one.
  private func isShorter(_ file: String) throws(StorageError) -> Bool {
    try stamps.withLock { stamps throws(StorageError) in
      // Asked for under the lock, so that what is kept is never newer than what is compared to it.
      let found = try stamp(of: file)
      guard let known = stamps[file] else {
        // The log comes with the first write.
        if let found { stamps[file] = found }
        return false
      }
      guard let found, (found.device, found.inode) == (known.device, known.inode) else {
        throw lost(file)
      }
      if found.size > known.size { stamps[file] = found }
      return found.size < known.size
    }
  }

  /// Takes the file's size for what it should be.
  private func keep(_ file: String) throws(StorageError) {
    try stamps.withLock { stamps throws(StorageError) in stamps[file] = try stamp(of: file) }
  }

  private func stamp(of file: String) throws(StorageError) -> PrivateFile.Stamp? {
    do throws(PrivateFile.Failure) { return try PrivateFile.stamp(of: file) } catch {
      throw .unavailable(path: file, cause: error.text)
    }
  }

  private func lost(_ file: String) -> StorageError {
    .unavailable(
      path: file,
      cause: "It was deleted, replaced or cut short while it was in use; "
        + "see what became of it and restart the service")
  }
}

extension GRDB.Database {
  /// Whether the file is as long as its header says: page size at 16, number of pages at 28, both
  /// big-endian (SQLite's "Database File Format", 1.3).
  ///
  /// It is read through SQLite's own descriptor. To close another one would give up all locks that
  /// this process has on the file (fcntl(2)).
  fileprivate func hasAllPages() throws -> Bool {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe sqlite3_file_control(
      sqliteConnection, nil, SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file = unsafe file, let methods = unsafe file.pointee.pMethods
    else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    var header = [UInt8](repeating: 0, count: 32)
    var size: sqlite3_int64 = 0
    let isRead = unsafe header.withUnsafeMutableBytes { bytes in
      unsafe methods.pointee.xRead(file, bytes.baseAddress, Int32(bytes.count), 0) == SQLITE_OK
        && methods.pointee.xFileSize(file, &size) == SQLITE_OK
    }
    guard isRead else { return false }
    // 1 stands for 65,536, which has no place in two bytes.
    let said = Int64(header[16]) << 8 | Int64(header[17])
    let pageSize = said == 1 ? 65_536 : said
    let pages = header[28..<32].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return size >= pages * pageSize
  }
}
