internal import GRDB

/// Statements are compiled once per connection.
extension Database {
  func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }

  func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
    try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }

  /// The single number that a counting query answers.
  func count(_ sql: String, _ arguments: StatementArguments) throws -> Int {
    try Int.fetchOne(cachedStatement(sql: sql), arguments: arguments) ?? 0
  }

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// Does `work` in a transaction that begins and ends with statements compiled once, unlike GRDB's
  /// own: where transactions are small and frequent, compiling costs as much as they do.
  func inCachedTransaction(_ work: () throws -> Void) throws {
    try run("BEGIN IMMEDIATE", [])
    do {
      try work()
      try run("COMMIT", [])
    } catch {
      // SQLite may have rolled back by itself, on a full disk for one.
      if isInsideTransaction { try rollback() }
      throw error
    }
  }
  /// Does `work` within a transaction, and undoes it alone when it fails. If the transaction is
  /// over by then, nothing is left to undo.
  func inCachedSavepoint<Value>(_ work: () throws -> Value) throws -> Value {
    try run("SAVEPOINT write", [])
    do {
      let value = try work()
      try run("RELEASE write", [])
      return value
    } catch {
      if isInsideTransaction {
        try run("ROLLBACK TO write", [])
        try run("RELEASE write", [])
      }
      throw error
    }
  }
}
