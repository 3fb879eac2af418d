internal import GRDB
internal import MeetingModel
internal import PostgreSQL

extension StorageError {
  /// Converts an error of a database access at `path`.
  init(_ error: any Error, at path: String) {
    switch error {
    case let error as StorageError: self = error
    case let error as InvalidModelValue: self = .invalid(error)
    case let error as DatabaseError: self.init(error, at: path)
    case let error as PostgresError: self.init(error, at: path)
    case let error as ConstraintViolation: self = .internalFailure(cause: error.message)
    case is CancellationError: self = .cancelled
    default: self = .internalFailure(cause: "\(error)")
    }
  }

  private init(_ error: DatabaseError, at path: String) {
    // The cause omits the SQL and its arguments, because both may contain display names.
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

  private init(_ error: PostgresError, at place: String) {
    switch error.kind {
    case .unreachable, .timedOut, .address:
      self = .unavailable(path: place, cause: "\(error)")
    case .refused(let state) where state.hasPrefix("XX"):
      self = .corrupt(path: place, cause: "\(error)")
    case .refused(let state) where Self.awayStates.contains(where: { state.hasPrefix($0) }):
      self = .unavailable(path: place, cause: "\(error)")
    case .refused, .type:
      self = .internalFailure(cause: "\(error)")
    }
  }

  /// Prefixes of SQLSTATEs for errors that are temporary or due to the server's setup.
  ///
  /// The prefixes stand for faults of these kinds, in this order: connections, read-only access,
  /// permissions, a missing database, transactions to retry, missing privileges, resources, locks,
  /// operator intervention, and files.
  private static var awayStates: [String] {
    ["08", "25006", "28", "3D", "40", "42501", "53", "55", "57", "58"]
  }
}
