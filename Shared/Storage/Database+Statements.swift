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
}
