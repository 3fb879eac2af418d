internal import GRDB
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

  let pool: DatabasePool
  private let file: OpenedFile
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
      path: path, tokens: tokens, limits: limits, keeping: retention, maxMeetings: maxMeetings,
      busyTimeout: .seconds(5))
  }

  init(
    path: String, tokens: JoinTokens, limits: Limits,
    keeping retention: RecordRetention = RecordRetention(), maxMeetings: Int? = nil,
    busyTimeout: Duration
  ) throws(StorageError) {
    pool = try DatabaseFile.open(
      path, migratedBy: Schema.migrator, busyTimeout: busyTimeout)
    let file = OpenedFile(path)
    try file.check()
    self.file = file
    commits = SharedCommits(in: pool) { try file.check() }
    self.tokens = tokens
    self.limits = limits
    self.retention = retention
    self.maxMeetings = maxMeetings
  }

  /// Throws unless the file can be written to now. Changes nothing.
  public func check() async throws(StorageError) {
    try await file.check(writingTo: pool)
  }

  /// Reads one consistent state of the database.
  func read<Value: Sendable>(
    _ body: @Sendable (Database) throws -> Value
  ) async throws(StorageError) -> Value {
    do { return try await pool.read(body) } catch { throw pool.failure(error) }
  }

  /// Checks and changes in one transaction, which may share its commit with others.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StorageError) -> Value {
    do { return try await commits.write(body) } catch { throw pool.failure(error) }
  }

  func issued(_ stored: StoredAttendee) -> IssuedAttendee {
    let attendee = stored.attendee
    return IssuedAttendee(
      attendee: attendee,
      joinToken: tokens.token(
        meeting: attendee.meetingID, attendee: attendee.id, nonce: stored.nonce))
  }
}
