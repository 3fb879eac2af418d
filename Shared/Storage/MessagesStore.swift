public import MeetingModel

/// The logs of data messages of an installation, in one SQLite file.
///
/// Several processes may write to it. A log has one owner, the last one that claimed it.
///
/// Work happens on the store's own threads; methods may be called from anywhere and wait without
/// blocking. Each throws ``StorageError/unavailable(path:cause:)`` when the disk fails, is full, or
/// another process holds the file for more than five seconds, and
/// ``StorageError/corrupt(path:cause:)`` for a damaged file.
public final class MessagesStore: Sendable {
  let engine: any StoreEngine

  /// Opens the file, or makes it with mode 0600, and brings its tables up to date. Each log of a
  /// file that was restored from a copy gets a new epoch.
  ///
  /// Blocks for a moment: call it while the process starts.
  ///
  /// - Throws: ``StorageError/unavailable(path:cause:)`` if the file cannot be opened or made,
  ///   ``StorageError/newerSchema(path:)``, ``StorageError/corrupt(path:cause:)``.
  public convenience init(path: String) throws(StorageError) {
    try self.init(path: path, busyTimeout: .seconds(5))
  }

  /// Opens the store, or makes it, and brings its tables up to date: `messages.sqlite` in a
  /// directory, or the schema `carillon_messages` in PostgreSQL.
  ///
  /// Blocks for a moment: call it while the process starts.
  ///
  /// - Throws: As ``init(path:)`` does.
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

  /// The size of a page, in bytes. A message of the usual limit fills a page of 4 KiB alone, and
  /// three share one of these: a commit of many writes a third less, one of a single message fewer
  /// pages, and there are fewer checkpoints, which happen inside a commit.
  private static let pageSize = 8_192

  /// Reads all logs.
  public func load() async throws(StorageError) -> StoredLogs {
    do { return try await engine.read(Self.load) } catch { throw engine.failure(error) }
  }

  /// Which meetings ended lately, and when somebody last used any log, in milliseconds since
  /// 1970-01-01T00:00:00Z.
  public func begin() async throws(StorageError) -> (endings: [MeetingID: UInt64], last: UInt64) {
    do {
      return try await engine.read { database in
        (try EndedLogTable.fetch(in: database), try LogTable.lastTouched(in: database))
      }
    } catch { throw engine.failure(error) }
  }

  /// Takes logs over, in one transaction: from here on what others change in them is refused.
  ///
  /// - Parameters:
  ///   - meetings: With what a log begins that is not there.
  ///   - idleSince: Logs that nobody has used since then are deleted first.
  public func claim(
    _ meetings: [MeetingID: StoredLogState], idleSince: UInt64
  ) async throws(StorageError) -> [MeetingID: ClaimedLog] {
    do {
      return try await engine.write { database in
        try LogTable.deleteIdle(since: idleSince, in: database)
        var claimed: [MeetingID: ClaimedLog] = [:]
        // In one order everywhere: no two owners wait for each other's rows.
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

  /// Makes a batch durable: one transaction and one fsync(2).
  ///
  /// A log that is not as the batch expects it, because something else writes to it, is left as it
  /// is, and the rest of the batch is stored. Runs to its end also when the calling task is
  /// cancelled. After an error nothing of the batch is in the file, or the file itself is lost.
  ///
  /// - Returns: The logs that were left as they are; none while nobody else claims them.
  @discardableResult
  public func commit(_ batch: MessagesBatch) async throws(StorageError) -> [RefusedLog] {
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

  /// Reads a part of a log, oldest messages first. Commits do not wait for it, nor it for them.
  ///
  /// - Parameters:
  ///   - epoch: The numbering that the sequences are of; a log of another one has none of them.
  ///   - after: Begin behind this sequence.
  ///   - through: Stop at this sequence.
  ///   - maxBytes: Most bytes of data, beyond which the page ends early; one message always fits.
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

  /// The stored messages of a sender, by meeting.
  public func places(
    ofSender user: ExternalUserID
  ) async throws(StorageError) -> [MeetingID: Set<UInt64>] {
    do {
      return try await engine.read { try MessageTable.places(ofSender: user, in: $0) }
    } catch { throw engine.failure(error) }
  }

  /// Rewrites the file, so that nothing is left in it of what was deleted.
  public func scrub() async throws(StorageError) {
    do { try await engine.scrub(["message", "session", "log"]) } catch {
      throw engine.failure(error)
    }
  }

  /// Throws unless the file can be written to now. Changes nothing.
  public func check() async throws(StorageError) {
    do { try await engine.check() } catch { throw engine.failure(error) }
  }

  // MARK: On the writer's connection

  /// Leaves out the logs that refuse their changes, one more in each round: where nothing is wrong,
  /// there is one round and nothing else to pay for.
  private static func commit(
    _ batch: MessagesBatch, in turn: any WritingTurn
  ) throws -> [RefusedLog] {
    var batch = batch
    var refused: [RefusedLog] = []
    var isCareful = false
    while true {
      do {
        try turn.transaction { try write(batch, carefully: isCareful, in: $0) }
        return refused.map { found($0, in: turn) }
      } catch let refusal as RefusedLog {
        batch.changes[refusal.meeting] = nil
        refused.append(refusal)
      } catch  where error is BrokenConstraint && !isCareful {
        // Of which log it is may be known only when each is asked for by itself.
        isCareful = true
      }
    }
  }

  /// - Throws: The ``RefusedLog`` that does not take its change, beside what the database throws.
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
    // In one order everywhere: no two owners wait for each other's rows.
    for (meeting, change) in batch.changes.sorted(by: { $0.key.text < $1.key.text }) {
      guard isCareful else {
        try write(change, of: meeting, in: database)
        continue
      }
      do {
        try write(change, of: meeting, in: database)
        try database.finish()
      } catch let error as BrokenConstraint {
        throw RefusedLog(meeting: meeting, cause: error.message)
      }
    }
  }

  private static func write(
    _ change: LogChange, of meeting: MeetingID, in database: Database
  ) throws {
    guard let log = try LogTable.write(change, of: meeting, in: database) else {
      throw RefusedLog(meeting: meeting, cause: "It is not as it was left.")
    }
    try MessageTable.delete(change.pruned, of: log, in: database)
    try MessageTable.insert(change.appended, into: log, in: database)
    for session in change.joined {
      try LogSessionTable.insert(session, into: log, in: database)
    }
    for session in change.left { try LogSessionTable.delete(session, of: log, in: database) }
  }

  /// A log that cannot be read is none: the rest of the batch is stored by now.
  private static func found(_ refused: RefusedLog, in turn: any WritingTurn) -> RefusedLog {
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

  private static func log(_ row: Row, in database: Database) throws -> StoredLog {
    let number = try row.number("number")
    return StoredLog(
      state: try LogTable.state(row), messages: try MessageTable.fetch(of: number, in: database),
      sessions: try LogSessionTable.fetch(of: number, in: database))
  }
}
