public import MeetingModel

/// The meetings and attendees of an installation, in a store that all its gateways share.
///
/// Every method is one transaction. The result is durable, and every later call on any gateway sees
/// the result. Conditions that a method checks still hold when the method changes data. Callers
/// pass times in milliseconds since 1970-01-01T00:00:00Z.
///
/// Work runs on the store's own threads. Any thread may call the methods. The methods suspend their
/// caller without blocking a thread.
///
/// Besides its own errors, each method throws ``StorageError/unavailable(path:cause:)`` when
/// another process locks the file for more than 5 s, or when the disk fails. Each method throws
/// ``StorageError/corrupt(path:cause:)`` for a damaged file, and ``StorageError/cancelled`` after
/// the cancellation of the calling task.
public final class MeetingStore: Sendable {
  /// Derives the tokens of the attendees that the store returns.
  public let tokens: JoinTokenIssuer

  /// The limits. The store enforces the limits of attendees and replicas.
  public let limits: InstallationLimits

  /// The maximum number of live meetings; `nil` if there is no limit.
  let maxMeetings: Int?

  /// The limits of the records about meetings.
  let retention: RecordRetention

  let engine: any StoreEngine
  private let commits: GroupCommit

  /// Opens the file, or creates it with mode 0600, and migrates its tables.
  ///
  /// Blocks briefly: call this initializer while the process starts. Several processes may open the
  /// file at the same time.
  ///
  /// - Parameter maxMeetings: The maximum number of live meetings; `nil` if there is no limit.
  /// - Throws: ``StorageError/unavailable(path:cause:)`` if this process cannot open or create the
  ///   file; ``StorageError/newerSchema(path:)`` if a newer version of Carillon wrote the file;
  ///   or ``StorageError/corrupt(path:cause:)`` if the file is damaged.
  public convenience init(
    path: String, tokens: JoinTokenIssuer, limits: InstallationLimits = InstallationLimits(),
    keeping retention: RecordRetention = RecordRetention(), maxMeetings: Int? = nil
  ) throws(StorageError) {
    try self.init(
      in: try Self.file(path), tokens: tokens, limits: limits, keeping: retention,
      maxMeetings: maxMeetings)
  }

  /// Opens or creates the store, and migrates its tables.
  ///
  /// The store is `meetings.sqlite` in a directory, or the schema `carillon_meetings` in
  /// PostgreSQL. Blocks briefly: call this initializer while the process starts. Several processes
  /// may open the store at the same time.
  ///
  /// - Parameter maxMeetings: The maximum number of live meetings; `nil` if there is no limit.
  /// - Throws: ``StorageError/unavailable(path:cause:)`` if this process cannot open or create the
  ///   store; ``StorageError/newerSchema(path:)`` if a newer version of Carillon wrote the store;
  ///   or ``StorageError/corrupt(path:cause:)`` if the store is damaged.
  public convenience init(
    in location: StoreLocation, tokens: JoinTokenIssuer,
    limits: InstallationLimits = InstallationLimits(),
    keeping retention: RecordRetention = RecordRetention(), maxMeetings: Int? = nil
  ) throws(StorageError) {
    let engine = try location.engine(
      sqlite: { directory throws(StorageError) in
        try Self.file(directory + "/meetings.sqlite")
      }, postgresql: .meetings, writing: .writingAlone)
    try self.init(
      in: engine, tokens: tokens, limits: limits, keeping: retention, maxMeetings: maxMeetings)
  }

  init(
    in engine: any StoreEngine, tokens: JoinTokenIssuer, limits: InstallationLimits,
    keeping retention: RecordRetention = RecordRetention(), maxMeetings: Int? = nil
  ) throws(StorageError) {
    self.engine = engine
    commits = GroupCommit(in: engine)
    self.tokens = tokens
    self.limits = limits
    self.retention = retention
    self.maxMeetings = maxMeetings
  }

  /// Opens the file. If an operator has restored the file from a copy, gives the events of the file
  /// a new epoch.
  private static func file(_ path: String) throws(StorageError) -> SQLiteEngine {
    try SQLiteEngine(
      path, migratedBy: MeetingsSchema.migrator, renumbering: MeetingsSchema.renumbering)
  }

  /// Checks, without changing the file, that the file is writable. Throws an error if the check
  /// fails.
  public func check() async throws(StorageError) {
    do { try await engine.check() } catch { throw engine.failure(error) }
  }

  /// Reads one consistent state of the database.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StorageError) -> Value {
    do { return try await engine.read(body) } catch { throw engine.failure(error) }
  }

  /// Checks and changes data in one transaction, which may share its commit with other
  /// transactions.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StorageError) -> Value {
    do { return try await commits.write(body) } catch { throw engine.failure(error) }
  }

  func issued(_ stored: StoredAttendee) -> IssuedAttendee {
    let attendee = stored.attendee
    return IssuedAttendee(
      attendee: attendee,
      joinToken: tokens.token(
        meeting: attendee.meetingID, attendee: attendee.id, nonce: stored.nonce))
  }
}
