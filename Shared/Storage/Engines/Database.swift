/// Access to a store within a transaction or a consistent read, for all engines.
///
/// All engines run the same statements. Statements use only the SQL that SQLite 3.40 and PostgreSQL
/// 15 share: arguments are `?` or `?1`, numbers are `INTEGER` or `bigint`, and Booleans are
/// numbers. Each connection compiles a statement once.
struct Database {
  let connection: any StoreConnection

  /// Returns the first row of a result.
  func row(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> SQLRow? {
    try rows(sql, arguments).first
  }

  func rows(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> [SQLRow] {
    try connection.rows(sql, arguments.map { $0?.sqlValue ?? .null })
  }

  /// Returns the single number of a counting query.
  func count(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> Int {
    guard let row = try row(sql, arguments), case .integer(let count) = row.values.first else {
      return 0
    }
    return Int(clamping: count)
  }

  /// Runs a statement without a result. A later statement or the commit may throw the error of this
  /// statement.
  func run(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws {
    try connection.run(sql, arguments.map { $0?.sqlValue ?? .null })
  }

  /// Runs a statement.
  ///
  /// - Returns: The number of rows that the statement inserted, changed or deleted.
  func changes(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> Int {
    try connection.changes(sql, arguments.map { $0?.sqlValue ?? .null })
  }

  /// Throws the pending error of earlier statements.
  func finish() throws { try connection.finish() }

  /// Whether a transaction is in progress.
  var isInsideTransaction: Bool { connection.isInsideTransaction }

  /// Runs `work` in a savepoint. If the work fails, rolls back only the savepoint.
  ///
  /// If the transaction has already ended, rolls back nothing.
  func savepoint<Value>(_ work: () throws -> Value) throws -> Value {
    try run("SAVEPOINT write", [])
    do {
      let value = try work()
      // This code waits for the result. Otherwise a later statement would throw the error of this
      // statement.
      _ = try changes("RELEASE SAVEPOINT write", [])
      return value
    } catch {
      if isInsideTransaction {
        try run("ROLLBACK TO SAVEPOINT write", [])
        _ = try changes("RELEASE SAVEPOINT write", [])
      }
      throw error
    }
  }
}

/// A connection to a store's engine, used by one thread at a time.
protocol StoreConnection {
  func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow]

  /// Runs a statement now, or sends the statement later, together with the next statement.
  func run(_ sql: String, _ arguments: [SQLValue]) throws

  func changes(_ sql: String, _ arguments: [SQLValue]) throws -> Int

  /// Throws the pending error of earlier statements.
  func finish() throws

  var isInsideTransaction: Bool { get }
}

/// The error for a row that violates a constraint of its table.
struct ConstraintViolation: Error, Hashable {
  var message: String
}
