public import MeetingModel

/// The data message logs of an installation, in one SQLite file or in PostgreSQL.
///
/// Several processes may write to the store. A log has one owner, the process that claimed the log
/// last.
///
/// Work runs on the store's own threads. Any thread may call the methods. The methods suspend their
/// caller without blocking a thread.
///
/// Each method throws ``StorageError/unavailable(path:cause:)`` when the disk fails or is full, or
/// when another process locks the file for more than 5 s. Each method throws
/// ``StorageError/corrupt(path:cause:)`` for a damaged file.
public final class MessagesStore: Sendable {
  let engine: any StoreEngine

  /// Opens the file, or creates it with mode 0600, and migrates its tables.
  ///
  /// If an operator has restored the file from a copy, each log gets a new epoch. Blocks briefly:
  /// call this initializer while the process starts.
  ///
  /// - Throws: ``StorageError/unavailable(path:cause:)`` if this process cannot open or create the
  ///   file; ``StorageError/newerSchema(path:)`` if a newer version of Carillon wrote the file;
  ///   or ``StorageError/corrupt(path:cause:)`` if the file is damaged.
  public convenience init(path: String) throws(StorageError) {
    try self.init(path: path, busyTimeout: .seconds(5))
  }

  /// Opens or creates the store, and migrates its tables.
  ///
  /// The store is `messages.sqlite` in a directory, or the schema `carillon_messages` in
  /// PostgreSQL. Blocks briefly: call this initializer while the process starts.
  ///
  /// - Throws: The errors of ``init(path:)``.
  public init(in location: StoreLocation) throws(StorageError) {
    engine = try location.engine(
      sqlite: { directory throws(StorageError) in
        try Self.file(directory + "/messages.sqlite", busyTimeout: .seconds(5))
      }, postgresql: .messages, writing: .writing)
  }

  init(path: String, busyTimeout: Duration) throws(StorageError) {
    engine = try Self.file(path, busyTimeout: busyTimeout)
  }

  private static func file(
    _ path: String, busyTimeout: Duration
  ) throws(StorageError) -> SQLiteEngine {
    try SQLiteEngine(
      path, migratedBy: MessagesSchema.migrator, busyTimeout: busyTimeout, pageSize: pageSize,
      renumbering: MessagesSchema.renumbering)
  }

  /// The size of a page, in bytes.
  ///
  /// A message of the usual maximum size fills a page of 4 KiB alone, but three messages of this
  /// size share a page of 8 KiB. With pages of 8 KiB, a commit of many messages writes a third
  /// less, and a commit of one message writes fewer pages. Checkpoints, which run inside a commit,
  /// are also less frequent.
  private static let pageSize = 8_192

  /// Reads all logs.
  public func load() async throws(StorageError) -> StoredLogs {
    do { return try await engine.read(Self.load) } catch { throw engine.failure(error) }
  }

  /// Returns recently ended meetings, and the last use of any log, in milliseconds since
  /// 1970-01-01T00:00:00Z.
  public func begin() async throws(StorageError) -> (endings: [MeetingID: UInt64], last: UInt64) {
    do {
      return try await engine.read { database in
        (try EndedLogTable.fetch(in: database), try LogTable.lastTouched(in: database))
      }
    } catch { throw engine.failure(error) }
  }

  /// Claims logs in one transaction. After the claim, the store rejects changes by earlier owners.
  ///
  /// - Parameters:
  ///   - meetings: The meetings. The value for each meeting is the initial state of the meeting's
  ///     log if the log does not exist.
  ///   - idleSince: Before the claim, the store deletes the logs that no session has used since
  ///     this time.
  public func claim(
    _ meetings: [MeetingID: StoredLogState], idleSince: UInt64
  ) async throws(StorageError) -> [MeetingID: LogClaimResult] {
    do {
      return try await engine.write { database in
        try LogTable.deleteIdle(since: idleSince, in: database)
        var claimed: [MeetingID: LogClaimResult] = [:]
        // All owners use the same order, which prevents deadlocks between owners.
        for (meeting, state) in meetings.sorted(by: { $0.key.text < $1.key.text }) {
          if let ending = try EndedLogTable.ending(of: meeting, in: database) {
            claimed[meeting] = .ended(ending)
          } else if let row = try LogTable.claim(meeting, beginningWith: state, in: database) {
            claimed[meeting] = .held(try Self.log(row, in: database))
          }
        }
        return claimed
      }
    } catch { throw engine.failure(error) }
  }

  /// Makes a batch durable with one transaction and one fsync(2).
  ///
  /// Does not change a log that another owner has changed, but stores the rest of the batch. The
  /// commit completes even after the cancellation of the calling task. After an error, either
  /// nothing of the batch is in the file, or the file itself has disappeared.
  ///
  /// - Returns: The logs that the store did not change; empty while no other owner claims logs of
  ///   this owner.
  @discardableResult
  public func commit(_ batch: MessagesBatch) async throws(StorageError) -> [RejectedLogChange] {
    do {
      let refused = try await withCheckedThrowingContinuation { continuation in
        engine.enqueue { turn in
          continuation.resume(with: Result { try Self.commit(batch, in: turn) })
        }
      }
      try engine.checkPlace()
      return refused
    } catch { throw engine.failure(error) }
  }

  /// Reads a part of a log, oldest messages first. Commits and reads do not wait for each other.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the sequences. If the log has another epoch, the page has no messages.
  ///   - after: The sequence after which the page begins.
  ///   - through: The last sequence of the page.
  ///   - maxBytes: The maximum number of bytes of data. The page ends early at this limit, but
  ///     always has room for one message.
  public func page(
    of meeting: MeetingID, epoch: UInt64, after: UInt64, through: UInt64, maxBytes: Int
  ) async throws(StorageError) -> StoredPage {
    do {
      return try await engine.read { database in
        guard let log = try LogTable.number(of: meeting, epoch: epoch, in: database) else {
          return StoredPage(messages: [], through: through)
        }
        return try MessageTable.page(
          of: log, after: after, through: through, maxBytes: maxBytes, in: database)
      }
    } catch { throw engine.failure(error) }
  }

  /// Returns the sequences of a sender's stored messages, by meeting.
  public func places(
    ofSender user: ExternalUserID
  ) async throws(StorageError) -> [MeetingID: Set<UInt64>] {
    do {
      return try await engine.read { try MessageTable.places(ofSender: user, in: $0) }
    } catch { throw engine.failure(error) }
  }

  /// Rewrites the file without any content of deleted rows.
  public func scrub() async throws(StorageError) {
    do { try await engine.scrub(["message", "session", "log"]) } catch {
      throw engine.failure(error)
    }
  }

  /// Checks, without changing the file, that the file is writable. Throws an error if the check
  /// fails.
  public func check() async throws(StorageError) {
    do { try await engine.check() } catch { throw engine.failure(error) }
  }

  // MARK: On the writer's connection

  /// Commits a batch without the logs that reject their changes.
  ///
  /// Each round removes one rejecting log. If no log rejects its change, one round suffices.
  private static func commit(
    _ batch: MessagesBatch, in turn: any TransactionRunner
  ) throws -> [RejectedLogChange] {
    var batch = batch
    var refused: [RejectedLogChange] = []
    var isCareful = false
    while true {
      do {
        try turn.transaction { try write(batch, carefully: isCareful, in: $0) }
        return refused.map { found($0, in: turn) }
      } catch let refusal as RejectedLogChange {
        batch.changes[refusal.meeting] = nil
        refused.append(refusal)
      } catch  where error is ConstraintViolation && !isCareful {
        // The next round checks each log separately, to find the log that broke the constraint.
        isCareful = true
      }
    }
  }

  /// Writes a batch.
  ///
  /// - Throws: ``RejectedLogChange`` for a log that rejects its change, and errors of the database.
  private static func write(
    _ batch: MessagesBatch, carefully isCareful: Bool, in database: Database
  ) throws {
    for (meeting, time) in batch.ended {
      try LogTable.delete(meeting, in: database)
      try EndedLogTable.insert(meeting, at: time, in: database)
    }
    for meeting in batch.forgotten {
      try LogTable.delete(meeting, in: database)
      try EndedLogTable.delete(meeting, in: database)
    }
    // All owners use the same order, which prevents deadlocks between owners.
    for (meeting, change) in batch.changes.sorted(by: { $0.key.text < $1.key.text }) {
      guard isCareful else {
        try write(change, of: meeting, in: database)
        continue
      }
      do {
        try write(change, of: meeting, in: database)
        try database.finish()
      } catch let error as ConstraintViolation {
        throw RejectedLogChange(meeting: meeting, cause: error.message)
      }
    }
  }

  private static func write(
    _ change: LogChange, of meeting: MeetingID, in database: Database
  ) throws {
    guard let log = try LogTable.write(change, of: meeting, in: database) else {
      throw RejectedLogChange(meeting: meeting, cause: "Another writer has changed the log.")
    }
    try MessageTable.delete(change.pruned, of: log, in: database)
    try MessageTable.insert(change.appended, into: log, in: database)
    for session in change.joined {
      try MessageLogReaderTable.insert(session, into: log, in: database)
    }
    for session in change.left { try MessageLogReaderTable.delete(session, of: log, in: database) }
  }

  /// Reads a rejected log. Ignores errors, because the file already contains the rest of the batch.
  private static func found(_ refused: RejectedLogChange, in turn: any TransactionRunner)
    -> RejectedLogChange
  {
    let sql = "SELECT * FROM log WHERE meeting_id = ?"
    var refused = refused
    refused.found = try? turn.transaction { database in
      try database.row(sql, [refused.meeting.text]).map { try log($0, in: database) }
    }
    return refused
  }

  @Sendable private static func load(_ database: Database) throws -> StoredLogs {
    var stored = StoredLogs(endings: try EndedLogTable.fetch(in: database))
    for row in try database.rows("SELECT * FROM log", []) {
      stored.logs[try LogTable.meeting(row)] = try log(row, in: database)
    }
    return stored
  }

  private static func log(_ row: SQLRow, in database: Database) throws -> StoredLog {
    let number = try row.number("number")
    return StoredLog(
      state: try LogTable.state(row), messages: try MessageTable.fetch(of: number, in: database),
      sessions: try MessageLogReaderTable.fetch(of: number, in: database))
  }
}
