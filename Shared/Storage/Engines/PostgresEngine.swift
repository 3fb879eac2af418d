internal import PostgreSQL
internal import Synchronization

/// Tables in PostgreSQL, which the processes of several machines share.
///
/// What is committed is on the server's disk, and on its synchronous standby's where there is one.
/// A server that is away is ``StorageError/unavailable(path:cause:)``, within five seconds; the
/// next call tries again.
final class PostgresEngine: StoreEngine {
  private let address: PostgresAddress
  private let kind: PostgresTransaction
  private let writer: PostgresLane
  private let readers: Mutex<Readers>

  private struct Readers {
    var free: [PostgresLane]
    var waiting: [CheckedContinuation<PostgresLane, Never>] = []
  }

  /// Connections that read at the same time.
  private static let readerCount = 4

  /// Brings the tables up to date. Blocks: call it while the process starts.
  ///
  /// - Parameter writing: What its writing transactions are.
  /// - Throws: ``StorageError/unavailable(path:cause:)``, ``StorageError/newerSchema(path:)``.
  init(
    _ address: PostgresAddress, _ schema: PostgresSchema, writing kind: PostgresTransaction
  ) throws(StorageError) {
    self.address = address
    self.kind = kind
    writer = PostgresLane(to: address, schema, label: "\(schema.name).writer")
    readers = Mutex(
      Readers(
        free: (0..<Self.readerCount).map {
          PostgresLane(to: address, schema, label: "\(schema.name).reader-\($0)")
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

  func enqueue(_ turn: @escaping @Sendable (any WritingTurn) -> Void) {
    writer.enqueue { [kind] lane in turn(PostgresTurn(lane: lane, kind: kind)) }
  }

  /// The server knows what it has committed.
  func checkPlace() {}

  func check() async throws {
    // A standby, or a server that only reads, refuses it.
    try await write { _ = try $0.rows("SELECT 1 AS one", []) }
  }

  func scrub(_ tables: [String]) async throws {
    // Rewrites them: rows that were deleted are in no file any more, but in the log until it is
    // recycled, and in backups.
    let script = "VACUUM (FULL) \(tables.joined(separator: ", "))"
    try await withCheckedThrowingContinuation { continuation in
      writer.enqueue { lane in
        continuation.resume(with: Result { try lane.run(script: script, within: .seconds(60)) })
      }
    }
  }

  private func takeReader() async -> PostgresLane {
    await withCheckedContinuation { continuation in
      let lane = readers.withLock { readers in
        if readers.free.isEmpty { readers.waiting.append(continuation) }
        return readers.free.popLast()
      }
      if let lane { continuation.resume(returning: lane) }
    }
  }

  private func giveBack(_ lane: PostgresLane) {
    let next = readers.withLock { readers -> CheckedContinuation<PostgresLane, Never>? in
      guard readers.waiting.isEmpty else { return readers.waiting.removeFirst() }
      readers.free.append(lane)
      return nil
    }
    next?.resume(returning: lane)
  }
}

private struct PostgresTurn: WritingTurn {
  let lane: PostgresLane
  let kind: PostgresTransaction

  func transaction<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try lane.transaction(kind, work)
  }
}
