internal import Foundation
internal import GRDB

/// A SQLite file in WAL mode that several processes of one machine share.
final class SQLiteEngine: StoreEngine {
  let pool: DatabasePool
  private let file: DatabaseFileIdentity

  /// Opens the file, or creates it with mode 0600, and migrates its tables. Blocks until the end of
  /// the tables' migration.
  ///
  /// - Parameter renumbering: SQL to run if an operator has restored the file from a copy.
  init(
    _ path: String, migratedBy migrator: DatabaseMigrator, busyTimeout: Duration = .seconds(5),
    pageSize: Int = 4096, renumbering: String = ""
  ) throws(StorageError) {
    pool = try DatabaseFile.open(
      path, migratedBy: migrator, busyTimeout: busyTimeout, pageSize: pageSize,
      renumbering: renumbering)
    file = DatabaseFileIdentity(path)
    try file.check(pool)
  }

  var place: String { pool.path }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await pool.read { try body(Database(connection: SQLiteConnection($0))) }
  }

  func enqueue(_ turn: @escaping @Sendable (any TransactionRunner) -> Void) {
    // Turns run one after another on the pool's own queue.
    pool.asyncWriteWithoutTransaction { turn(SQLiteConnection($0)) }
  }

  func checkPlace() throws { try file.check(pool) }

  func check() async throws { try await file.check(writingTo: pool) }

  func scrub(_ tables: [String]) async throws { try await pool.scrub() }
}

/// A connection to a file.
struct SQLiteConnection: StoreConnection, TransactionRunner {
  let database: GRDB.Database

  init(_ database: GRDB.Database) { self.database = database }

  func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
    try constrained {
      let statement = try database.cachedStatement(sql: sql)
      let cursor = try GRDB.Row.fetchCursor(statement, arguments: stored(arguments))
      var columns: [String: Int] = [:]
      var rows: [SQLRow] = []
      while let row = try cursor.next() {
        if rows.isEmpty {
          for (place, name) in row.columnNames.enumerated() { columns[name] = place }
        }
        rows.append(SQLRow(columns: columns, values: row.databaseValues.map(SQLValue.init)))
      }
      return rows
    }
  }

  func run(_ sql: String, _ arguments: [SQLValue]) throws {
    try constrained {
      try database.cachedStatement(sql: sql).execute(arguments: stored(arguments))
    }
  }

  func changes(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
    try run(sql, arguments)
    return database.changesCount
  }

  func finish() {}

  var isInsideTransaction: Bool { database.isInsideTransaction }

  /// Runs a transaction with cached BEGIN and COMMIT statements. GRDB compiles both statements for
  /// each transaction.
  ///
  /// For small, frequent transactions, compiling these statements costs as much as the transactions
  /// themselves.
  func transaction<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try run("BEGIN IMMEDIATE", [])
    do {
      let value = try work(Database(connection: self))
      try run("COMMIT", [])
      return value
    } catch {
      // SQLite may already have rolled back on its own, for example when the disk is full.
      if isInsideTransaction { try database.rollback() }
      throw error
    }
  }

  private func stored(_ arguments: [SQLValue]) -> StatementArguments {
    StatementArguments(arguments.map(\.databaseValue))
  }

  /// Converts a constraint error of SQLite to the error of all engines.
  private func constrained<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CONSTRAINT
    { throw ConstraintViolation(message: error.message ?? "A constraint does not hold.") }
  }
}

extension SQLValue {
  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    // Tables are strict, so only a damaged file contains a double.
    case .double: self = .null
    case .string(let text): self = .text(text)
    case .blob(let data): self = .bytes(Array(data))
    }
  }

  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .bytes(let bytes): Data(bytes).databaseValue
    }
  }
}
