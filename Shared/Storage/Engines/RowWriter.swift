internal import GRDB
internal import GRDBSQLite

/// A statement without rows that is run for many rows one after the other.
///
/// GRDB makes a value of its own of each argument, and SQLite a copy of each text. Here numbers go
/// to SQLite at once, and texts and bytes are read where they lie while the statement runs. Used on
/// the connection's thread only, as everything of a database.
@safe struct RowWriter {
  private let statement: Statement

  /// The texts of the next row, one behind the other. Never empty, so that each has an address:
  /// one without is NULL to SQLite.
  private var characters: [UInt8] = [0]
  private var texts: [(index: Int32, place: Range<Int>)] = []

  /// - Parameter sql: With a `?` for each argument; compiled once per connection.
  init(_ sql: String, in connection: SQLiteConnection) throws {
    statement = try connection.database.cachedStatement(sql: sql)
  }

  /// Sets an argument, which stays for the rows to come. They are counted from 1.
  func bind(_ number: Int64, at index: Int32) throws {
    try unsafe check(sqlite3_bind_int64(statement.sqliteStatement, index, number))
  }

  /// Sets an argument of the next row to a text. One that is not set is NULL.
  mutating func bind(_ text: String, at index: Int32) {
    bind(at: index) { $0.append(contentsOf: text.utf8) }
  }

  /// Sets an argument of the next row to the text that `append` adds, in UTF-8.
  mutating func bind(at index: Int32, _ append: (inout [UInt8]) -> Void) {
    let start = characters.count
    append(&characters)
    texts.append((index, start..<characters.count))
  }

  /// Runs the statement with the arguments that were set and one of bytes.
  mutating func run(with bytes: [UInt8], at index: Int32) throws {
    defer {
      characters.removeSubrange(1...)
      texts.removeAll(keepingCapacity: true)
    }
    try unsafe characters.withUnsafeBytes { characters in
      try unsafe bytes.withUnsafeBytes { bytes in
        // What is lent is nobody's any more when this returns.
        defer {
          for text in texts { unbind(text.index) }
          unbind(index)
        }
        for text in texts {
          try unsafe lend(UnsafeRawBufferPointer(rebasing: characters[text.place]), at: text.index)
        }
        if unsafe bytes.isEmpty {
          try unsafe check(sqlite3_bind_zeroblob(statement.sqliteStatement, index, 0))
        } else {
          try unsafe check(
            sqlite3_bind_blob(
              statement.sqliteStatement, index, bytes.baseAddress, Int32(bytes.count), nil))
        }
        try step()
      }
    }
  }

  /// Sets an argument to a text that SQLite does not copy.
  private func lend(_ text: UnsafeRawBufferPointer, at index: Int32) throws {
    try unsafe check(
      sqlite3_bind_text(
        statement.sqliteStatement, index, text.assumingMemoryBound(to: CChar.self).baseAddress,
        Int32(text.count), nil))
  }

  private func unbind(_ index: Int32) {
    _ = unsafe sqlite3_bind_null(statement.sqliteStatement, index)
  }

  private func step() throws {
    let code = unsafe sqlite3_step(statement.sqliteStatement)
    let failure = code == SQLITE_DONE ? nil : failure(code)
    _ = unsafe sqlite3_reset(statement.sqliteStatement)
    if code & 0xFF == SQLITE_CONSTRAINT, let failure {
      throw BrokenConstraint(message: failure.message ?? "A constraint does not hold.")
    }
    if let failure { throw failure }
  }

  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw failure(code) }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    let connection = unsafe sqlite3_db_handle(statement.sqliteStatement)
    let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
  }
}
