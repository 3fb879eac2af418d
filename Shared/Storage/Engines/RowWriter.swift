internal import GRDB
internal import GRDBSQLite

/// A statement without rows that is run for many rows one after the other.
///
/// GRDB makes a value of its own of each argument; here they go to SQLite where they lie. Used on
/// the connection's thread only, as everything of a database.
@safe struct RowWriter {
  private let statement: Statement

  /// - Parameter sql: With a `?` for each argument; compiled once per connection.
  init(_ sql: String, in connection: SQLiteConnection) throws {
    statement = try connection.database.cachedStatement(sql: sql)
  }

  /// Sets an argument, which stays for the rows to come. They are counted from 1.
  func bind(_ number: Int64, at index: Int32) throws {
    try unsafe check(sqlite3_bind_int64(statement.sqliteStatement, index, number))
  }

  /// Sets an argument to a text, or to NULL. SQLite copies it.
  func bind(_ text: String?, at index: Int32) throws {
    guard var text else {
      return try unsafe check(sqlite3_bind_null(statement.sqliteStatement, index))
    }
    let code = text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
        // Without an address it would be NULL.
        unsafe sqlite3_bind_text(
          statement.sqliteStatement, index, characters.baseAddress, Int32(characters.count),
          Self.transient)
      }
    }
    try check(code)
  }

  /// Runs the statement with the arguments that were set and one of bytes, which SQLite reads where
  /// they are.
  func run(with bytes: [UInt8], at index: Int32) throws {
    try unsafe bytes.withUnsafeBytes { bytes in
      if bytes.count > 0, let start = bytes.baseAddress {
        try unsafe check(
          sqlite3_bind_blob(statement.sqliteStatement, index, start, Int32(bytes.count), nil))
      } else {
        try unsafe check(sqlite3_bind_zeroblob(statement.sqliteStatement, index, 0))
      }
      // The bytes are nobody's any more when this returns.
      defer { _ = unsafe sqlite3_bind_null(statement.sqliteStatement, index) }
      let code = unsafe sqlite3_step(statement.sqliteStatement)
      let failure = code == SQLITE_DONE ? nil : failure(code)
      _ = unsafe sqlite3_reset(statement.sqliteStatement)
      if code == SQLITE_CONSTRAINT || code & 0xFF == SQLITE_CONSTRAINT, let failure {
        throw BrokenConstraint(message: failure.message ?? "A constraint does not hold.")
      }
      if let failure { throw failure }
    }
  }

  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw failure(code) }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    let connection = unsafe sqlite3_db_handle(statement.sqliteStatement)
    let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
  }

  /// SQLite's mark for arguments that it is to copy, `SQLITE_TRANSIENT`.
  private static var transient: sqlite3_destructor_type? {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
  }
}
