internal import GRDB
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
  /// is not the one that was there at the first call, or the database is shorter than it was. It
  /// never shrinks by itself; the log does.
  func check() throws(StorageError) {
    try check(path, mayShrink: false)
    try check(path + "-wal", mayShrink: true)
  }

  /// Throws unless the database is the one that was opened and can be written to now. Changes
  /// nothing.
  func check(writingTo pool: DatabasePool) async throws(StorageError) {
    do {
      try await pool.writeWithoutTransaction { database in
        try database.inTransaction(.immediate) { .rollback }
      }
      try check()
    } catch { throw pool.failure(error) }
  }

  private func check(_ file: String, mayShrink: Bool) throws(StorageError) {
    let found: PrivateFile.Stamp?
    do throws(PrivateFile.Failure) { found = try PrivateFile.stamp(of: file) } catch {
      throw .unavailable(path: file, cause: error.text)
    }
    let isTheSame = stamps.withLock { stamps in
      guard let known = stamps[file] else {
        // The log comes with the first write.
        if let found { stamps[file] = found }
        return true
      }
      guard let found, (found.device, found.inode) == (known.device, known.inode),
        mayShrink || found.size >= known.size
      else { return false }
      stamps[file] = found
      return true
    }
    guard isTheSame else {
      throw .unavailable(
        path: file,
        cause: "It was deleted, replaced or cut short while it was in use; "
          + "see what became of it and restart the service")
    }
  }
}
