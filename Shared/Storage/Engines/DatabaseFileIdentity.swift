internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// The identities that a database file and its write-ahead log had when SQLite opened the database.
///
/// If somebody deletes, replaces or truncates the file, SQLite still writes to the old file and
/// reports success. The installation then loses acknowledged data. Two calls of stat(2) detect such
/// a change.
final class DatabaseFileIdentity: Sendable {
  private let path: String
  private let stamps: Mutex<[String: PrivateFile.Stamp]>

  /// - Parameter path: The path of an open database in WAL mode.
  init(_ path: String) {
    self.path = path
    stamps = Mutex([:])
  }

  /// Checks that nobody has replaced the database file or the write-ahead log, and that the
  /// database file has the length that the file's header states.
  ///
  /// A shorter file is not always an error: the database becomes shorter when this or another
  /// process erases a user, and SQLite itself shortens the log.
  ///
  /// - Parameter pool: The pool of the database.
  /// - Throws: ``StorageError/unavailable(path:cause:)`` after a replacement or truncation.
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

  /// Checks that the database file is still in its place and is writable, without changing its
  /// content. Throws an error if either check fails.
  func check(writingTo pool: DatabasePool) async throws(StorageError) {
    do {
      try await pool.writeWithoutTransaction { database in
        try database.inTransaction(.immediate) { .rollback }
      }
      try check(pool)
    } catch { throw pool.failure(error) }
  }

  /// Returns whether a file is shorter than at the last check. Throws an error if somebody has
  /// replaced the file.
  private func isShorter(_ file: String) throws(StorageError) -> Bool {
    try stamps.withLock { stamps throws(StorageError) in
      // This code calls stat under the lock. Otherwise, the file could grow after this thread's
      // call, and another thread could store the larger size before this thread compares the sizes.
      // Then the file would seem to have become shorter.
      let found = try stamp(of: file)
      guard let known = stamps[file] else {
        // SQLite creates the write-ahead log at the first write, so the first check may find no
        // log.
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

  /// Stores the file's current size as the expected size.
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
      cause:
        """
        Another program deleted, replaced or truncated the file while it was in use; restore it, \
        and restart the service
        """)
  }
}

extension GRDB.Database {
  /// Returns whether the file has the length that its header states.
  ///
  /// The page size is at offset 16 and the number of pages is at offset 28, both big-endian
  /// (SQLite's "Database File Format", 1.3). This method reads the header through SQLite's own
  /// descriptor. Closing another descriptor would release all locks of this process on the file
  /// (fcntl(2)).
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
    // A value of 1 means 65,536, which does not fit in two bytes.
    let said = Int64(header[16]) << 8 | Int64(header[17])
    let pageSize = said == 1 ? 65_536 : said
    let pages = header[28..<32].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return size >= pages * pageSize
  }
}
