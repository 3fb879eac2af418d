internal import GRDB
internal import MeetingModel

extension StorageError {
  /// What an error that came out of a database access at `path` means to callers.
  init(_ error: any Error, at path: String) {
    switch error {
    case let error as StorageError: self = error
    case let error as ModelError: self = .invalid(error)
    case let error as DatabaseError: self.init(error, at: path)
    case is CancellationError: self = .cancelled
    default: self = .internalFailure(cause: "\(error)")
    }
  }

  private init(_ error: DatabaseError, at path: String) {
    // Neither the SQL nor its arguments: those may hold what people call themselves.
    let cause = "\(error.resultCode): \(error.message ?? "no message")"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_FULL,
      .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_NOMEM:
      self = .unavailable(path: path, cause: cause)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      self = .corrupt(path: path, cause: cause)
    case .SQLITE_INTERRUPT, .SQLITE_ABORT:
      self = .cancelled
    default:
      self = .internalFailure(cause: cause)
    }
  }
}
