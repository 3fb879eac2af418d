internal import PostgreSQL
internal import Synchronization

/// Tables in PostgreSQL, shared by the processes of several machines.
///
/// Committed data is on the server's disk, and also on the synchronous standby if the server has
/// one. If the server is unreachable, calls throw ``StorageError/unavailable(path:cause:)`` within
/// 5 s. The next call tries again.
final class PostgresEngine: StoreEngine {
  private let address: PostgresAddress
  private let kind: PostgresTransactionKind
  private let writer: QueuedPostgresConnection
  private let readers: Mutex<Readers>

  private struct Readers {
    var free: [QueuedPostgresConnection]
    var waiting: [CheckedContinuation<QueuedPostgresConnection, Never>] = []
  }

  /// The number of concurrent reading connections.
  private static let readerCount = 4

  /// Migrates the tables. Blocks, so call this initializer while the process starts.
  ///
  /// - Parameter writing: The kind of transaction that the engine uses for writes.
  /// - Throws: ``StorageError/unavailable(path:cause:)`` if the database does not answer;
  ///   ``StorageError/newerSchema(path:)`` if a newer version of Carillon migrated the tables.
  init(
    _ address: PostgresAddress, _ schema: PostgresSchema, writing kind: PostgresTransactionKind
  ) throws(StorageError) {
    self.address = address
    self.kind = kind
    writer = QueuedPostgresConnection(to: address, schema, label: "\(schema.name).writer")
    readers = Mutex(
      Readers(
        free: (0..<Self.readerCount).map {
          QueuedPostgresConnection(to: address, schema, label: "\(schema.name).reader-\($0)")
        }))
    do { try schema.migrate(at: address) } catch { throw failure(error) }
  }

  var place: String { "\(address)" }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let lane = await takeReader()
    defer { giveBack(lane) }
    return try await withCheckedThrowingContinuation { continuation in
      lane.enqueue { lane in
        continuation.resume(with: Result { try lane.transaction(.reading, body) })
      }
    }
  }

  func enqueue(_ turn: @escaping @Sendable (any TransactionRunner) -> Void) {
    writer.enqueue { [kind] lane in turn(PostgresTransactionRunner(lane: lane, kind: kind)) }
  }

  /// Does nothing, because the PostgreSQL server guarantees that committed data remains.
  func checkPlace() {}

  func check() async throws {
    // A standby or read-only server rejects the transaction.
    try await write { _ = try $0.rows("SELECT 1 AS one", []) }
  }

  func scrub(_ tables: [String]) async throws {
    // A full vacuum rewrites the tables. Deleted rows remain only in backups, and in the
    // write-ahead log until the server recycles this log.
    let script = "VACUUM (FULL) \(tables.joined(separator: ", "))"
    try await withCheckedThrowingContinuation { continuation in
      writer.enqueue { lane in
        continuation.resume(with: Result { try lane.run(script: script, within: .seconds(60)) })
      }
    }
  }

  private func takeReader() async -> QueuedPostgresConnection {
    await withCheckedContinuation { continuation in
      let lane = readers.withLock { readers in
        if readers.free.isEmpty { readers.waiting.append(continuation) }
        return readers.free.popLast()
      }
      if let lane { continuation.resume(returning: lane) }
    }
  }

  private func giveBack(_ lane: QueuedPostgresConnection) {
    let next = readers.withLock {
      readers -> CheckedContinuation<QueuedPostgresConnection, Never>? in
      guard readers.waiting.isEmpty else { return readers.waiting.removeFirst() }
      readers.free.append(lane)
      return nil
    }
    next?.resume(returning: lane)
  }
}

private struct PostgresTransactionRunner: TransactionRunner {
  let lane: QueuedPostgresConnection
  let kind: PostgresTransactionKind

  func transaction<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try lane.transaction(kind, work)
  }
}
