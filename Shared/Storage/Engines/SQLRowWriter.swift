internal import GRDB
internal import GRDBSQLite

/// Runs a statement that has no result, for many rows, one after another.
///
/// GRDB wraps each argument in a value, and SQLite copies each text. This type binds numbers
/// directly, and SQLite reads texts and bytes in place while the statement runs. Use a writer only
/// on the connection's thread. This rule applies to all uses of a database.
@safe struct SQLRowWriter {
  private let statement: Statement

  /// The texts of the next row, concatenated.
  ///
  /// The buffer is never empty, so each text has an address. SQLite reads a text without an address
  /// as NULL.
  private var characters: [UInt8] = [0]
  private var texts: [(index: Int32, place: Range<Int>)] = []

  /// - Parameter sql: The statement with a `?` for each argument; compiled once per connection.
  init(_ sql: String, in connection: SQLiteConnection) throws {
    statement = try connection.database.cachedStatement(sql: sql)
  }

  /// Binds a number to an argument, counted from 1. The number remains bound for later rows.
  func bind(_ number: Int64, at index: Int32) throws {
    try unsafe check(sqlite3_bind_int64(statement.sqliteStatement, index, number))
  }

  /// Binds a text for the next row. An unbound argument is NULL.
  mutating func bind(_ text: String, at index: Int32) {
    bind(at: index) { $0.append(contentsOf: text.utf8) }
  }

  /// Binds the text that `append` adds, in UTF-8, for the next row.
  mutating func bind(at index: Int32, _ append: (inout [UInt8]) -> Void) {
    let start = characters.count
    append(&characters)
    texts.append((index, start..<characters.count))
  }

  /// Runs the statement with the bound arguments, and with these bytes as one more argument.
  mutating func run(with bytes: [UInt8], at index: Int32) throws {
    defer {
      characters.removeSubrange(1...)
      texts.removeAll(keepingCapacity: true)
    }
    try unsafe characters.withUnsafeBytes { characters in
      try unsafe bytes.withUnsafeBytes { bytes in
        // The bound memory is invalid after this call returns.
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

  /// Binds a text that SQLite does not copy.
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
      throw ConstraintViolation(message: failure.message ?? "A constraint does not hold.")
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
