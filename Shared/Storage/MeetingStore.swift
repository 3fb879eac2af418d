public import MeetingModel

/// The meetings and attendees of an installation, in one SQLite file that all its gateways share.
///
/// Every method is one transaction: what it returns is on the disk, every later call on any gateway
/// sees it, and what it checks still holds when it changes something. Times are passed in, in
/// milliseconds since 1970-01-01T00:00:00Z.
///
/// Work happens on the store's own threads; methods may be called from anywhere and wait without
/// blocking. Each throws, besides what it names, ``StorageError/unavailable(path:cause:)`` when
/// another process holds the file for more than five seconds or the disk fails,
/// ``StorageError/corrupt(path:cause:)``, and ``StorageError/cancelled``.
public final class MeetingStore: Sendable {
  /// Mints the tokens of the attendees that the store hands out.
  public let tokens: JoinTokens

  /// Those that the store enforces: attendees and replicas.
  public let limits: Limits

  /// Meetings that may live at once; `nil`: as many as are made.
  let maxMeetings: Int?

  /// How much is kept of what happened.
  let retention: RecordRetention

  let engine: any StoreEngine
  private let commits: SharedCommits

  /// Opens the file, or makes it with mode 0600, and brings its tables up to date.
  ///
  /// Blocks for a moment: call it while the process starts. Several processes may do so at once.
  ///
  /// - Parameter maxMeetings: That may live at once; `nil`: as many as are made.
  /// - Throws: ``StorageError/unavailable(path:cause:)`` if the file cannot be opened or made,
  ///   ``StorageError/newerSchema(path:)``, ``StorageError/corrupt(path:cause:)``.
  public convenience init(
    path: String, tokens: JoinTokens, limits: Limits = Limits(),
    keeping retention: RecordRetention = RecordRetention(), maxMeetings: Int? = nil
  ) throws(StorageError) {
    try self.init(
      in: try Self.file(path), tokens: tokens, limits: limits, keeping: retention,
      maxMeetings: maxMeetings)
  }

  /// Opens the store, or makes it, and brings its tables up to date: `meetings.sqlite` in a
  /// directory, or the schema `carillon_meetings` in PostgreSQL.
  ///
  /// Blocks for a moment: call it while the process starts. Several processes may do so at once.
  ///
  /// - Parameter maxMeetings: That may live at once; `nil`: as many as are made.
  /// - Throws: ``StorageError/unavailable(path:cause:)`` if it cannot be opened or made,
  ///   ``StorageError/newerSchema(path:)``, ``StorageError/corrupt(path:cause:)``.
  public convenience init(
    in location: StoreLocation, tokens: JoinTokens, limits: Limits = Limits(),
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
    in engine: any StoreEngine, tokens: JoinTokens, limits: Limits,
    keeping retention: RecordRetention = RecordRetention(), maxMeetings: Int? = nil
  ) throws(StorageError) {
    self.engine = engine
    commits = SharedCommits(in: engine)
    self.tokens = tokens
    self.limits = limits
    self.retention = retention
    self.maxMeetings = maxMeetings
  }

  /// The events of a file that was restored from a copy get a new epoch.
  private static func file(_ path: String) throws(StorageError) -> SQLiteEngine {
    try SQLiteEngine(path, migratedBy: Schema.migrator, renumbering: Schema.renumbering)
  }

  /// Throws unless the file can be written to now. Changes nothing.
  public func check() async throws(StorageError) {
    do { try await engine.check() } catch { throw engine.failure(error) }
  }

  /// Reads one consistent state of the database.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StorageError) -> Value {
    do { return try await engine.read(body) } catch { throw engine.failure(error) }
  }

  /// Checks and changes in one transaction, which may share its commit with others.
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
