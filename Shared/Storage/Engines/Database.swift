/// The store within a transaction, or as one consistent state, whichever engine keeps it.
///
/// Statements are written once for all engines: arguments are `?` or `?1`, numbers are `INTEGER` or
/// `bigint`, truth values are numbers, and only what SQLite 3.40 and PostgreSQL 15 both understand
/// is used. Each is compiled once per connection.
struct Database {
  let connection: any StoreConnection

  /// The first row of an answer.
  func row(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> Row? {
    try rows(sql, arguments).first
  }

  func rows(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> [Row] {
    try connection.rows(sql, arguments.map { $0?.sqlValue ?? .null })
  }

  /// The single number that a counting query answers.
  func count(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> Int {
    guard let row = try row(sql, arguments), case .integer(let count) = row.values.first else {
      return 0
    }
    return Int(clamping: count)
  }

  /// Runs a statement of which nothing need be known. What is wrong with it may be thrown by a
  /// later statement of the transaction, or by its end.
  func run(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws {
    try connection.run(sql, arguments.map { $0?.sqlValue ?? .null })
  }

  /// Runs a statement.
  ///
  /// - Returns: How many rows it inserted, changed or deleted.
  func changes(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> Int {
    try connection.changes(sql, arguments.map { $0?.sqlValue ?? .null })
  }

  /// Throws what is wrong with the statements so far.
  func finish() throws { try connection.finish() }

  /// Whether a transaction has begun and has not ended.
  var isInsideTransaction: Bool { connection.isInsideTransaction }

  /// Does `work` within a transaction, and undoes it alone when it fails. If the transaction is
  /// over by then, nothing is left to undo.
  func savepoint<Value>(_ work: () throws -> Value) throws -> Value {
    try run("SAVEPOINT write", [])
    do {
      let value = try work()
      // Asks how it went, so that what failed fails here and not those that come behind.
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

/// A connection to a store's engine. Used by one thread at a time.
protocol StoreConnection {
  func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [Row]

  /// Runs a statement, or sends it along with the next one.
  func run(_ sql: String, _ arguments: [SQLValue]) throws

  func changes(_ sql: String, _ arguments: [SQLValue]) throws -> Int

  /// Throws what is wrong with the statements so far.
  func finish() throws

  var isInsideTransaction: Bool { get }
}

/// A row would break a constraint of its table.
struct BrokenConstraint: Error, Hashable {
  var message: String
}
