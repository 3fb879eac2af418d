internal import Dispatch
internal import Foundation
internal import PostgreSQL

/// A connection to the server, and the queue that uses the connection.
///
/// This type connects on demand, and reconnects after the loss of the connection.
///
/// `@unchecked Sendable`: only the queue accesses the connection.
final class QueuedPostgresConnection: @unchecked Sendable {
  private let address: PostgresAddress
  private let schema: PostgresSchema
  private let queue: DispatchQueue
  private var connection: PostgresConnection?

  /// The timeout of a connection attempt or a response.
  static let timeout = Duration.seconds(5)

  init(to address: PostgresAddress, _ schema: PostgresSchema, label: String) {
    self.address = address
    self.schema = schema
    queue = DispatchQueue(label: "carillon.postgresql.\(label)")
  }

  /// Runs `body` after all earlier work.
  func enqueue(_ body: @escaping @Sendable (QueuedPostgresConnection) -> Void) {
    queue.async { body(self) }
  }

  /// Runs `body` after all earlier work, and waits until `body` returns.
  func wait<Value>(_ body: (QueuedPostgresConnection) throws -> Value) rethrows -> Value {
    try queue.sync { try body(self) }
  }

  // MARK: On the queue

  /// Runs `work` in a transaction.
  ///
  /// An idle connection may have broken without notice. If that connection has committed nothing,
  /// the work runs once more on a new connection.
  func transaction<Value>(
    _ kind: PostgresTransactionKind, _ work: (Database) throws -> Value
  ) throws -> Value {
    let wasIdle = connection != nil
    let attempt = try begin()
    do {
      return try run(work, kind, attempt)
    } catch let error as PostgresError
      where error.isBroken && wasIdle && !attempt.isCommitting
    {
      connection = nil
      return try run(work, kind, try begin())
    }
  }

  /// Runs statements that have neither arguments nor results, outside of a transaction.
  ///
  /// - Parameter limit: The time limit.
  func run(script: String, within limit: Duration) throws {
    let attempt = try begin()
    do { try attempt.connection.run(script: script, within: limit) } catch {
      connection = nil
      throw error
    }
  }

  /// The state of a transaction in progress.
  private final class Attempt {
    let connection: PostgresConnection
    var isCommitting = false

    init(_ connection: PostgresConnection) { self.connection = connection }
  }

  private func run<Value>(
    _ work: (Database) throws -> Value, _ kind: PostgresTransactionKind, _ attempt: Attempt
  ) throws -> Value {
    let used = attempt.connection
    do {
      for statement in kind.beginning { try used.send(statement) }
      let value = try work(Database(connection: PostgresStoreConnection(used)))
      try used.finish()
      attempt.isCommitting = kind.changesRows
      _ = try used.query("COMMIT")
      return value
    } catch {
      let failure = error as? PostgresError
      if failure?.endsConnection ?? false || !used.isUsable || (try? used.query("ROLLBACK")) == nil
      {
        connection = nil
      }
      throw error
    }
  }

  private func begin() throws -> Attempt {
    if let connection, connection.isUsable { return Attempt(connection) }
    connection = nil
    let fresh = try PostgresConnection.open(
      to: address, timeout: Self.timeout, applicationName: "carillon")
    try schema.prepare(fresh)
    connection = fresh
    return Attempt(fresh)
  }
}

/// The kind of a transaction.
enum PostgresTransactionKind {
  /// Reads one consistent state.
  case reading
  /// Writes, concurrently with other writers.
  case writing
  /// Writes exclusively, so that the store assigns numbers in the order of commits.
  case writingAlone

  var changesRows: Bool { self != .reading }

  /// The statements that begin the transaction.
  var beginning: [String] {
    switch self {
    case .reading: ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"]
    case .writing: ["BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"]
    case .writingAlone:
      // This statement takes a row lock. If a connection pool is in use, a session lock would
      // outlive the transaction that took the lock.
      [
        "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
        "SELECT version FROM schema_version FOR UPDATE",
      ]
    }
  }
}

/// A connection within a transaction.
private struct PostgresStoreConnection: StoreConnection {
  let connection: PostgresConnection

  init(_ connection: PostgresConnection) { self.connection = connection }

  func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
    let result = try query(sql, arguments)
    let columns = Dictionary(
      zip(result.columns, result.columns.indices), uniquingKeysWith: { first, _ in first })
    return result.rows.map { SQLRow(columns: columns, values: $0.map(SQLValue.init)) }
  }

  func run(_ sql: String, _ arguments: [SQLValue]) throws {
    try constrained {
      try connection.send(PostgresSQLTranslator.translated(sql), arguments.map(PostgresValue.init))
    }
  }

  func changes(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
    try query(sql, arguments).count
  }

  func finish() throws { try constrained { try connection.finish() } }

  var isInsideTransaction: Bool { connection.isUsable && connection.isInsideTransaction }

  private func query(_ sql: String, _ arguments: [SQLValue]) throws -> PostgresResult {
    try constrained {
      try connection.query(PostgresSQLTranslator.translated(sql), arguments.map(PostgresValue.init))
    }
  }

  private func constrained<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let error as PostgresError where error.refusalClass == "23" {
      throw ConstraintViolation(message: error.message)
    }
  }
}

extension SQLValue {
  fileprivate init(_ value: PostgresValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .text(let text): self = .text(text)
    case .bytes(let bytes): self = .bytes(bytes)
    }
  }
}

extension PostgresValue {
  fileprivate init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .text(let text): self = .text(text)
    case .bytes(let bytes): self = .bytes(bytes)
    }
  }
}
