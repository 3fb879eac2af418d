public import MeetingModel

/// The events that clients reported about their sessions, in a store shared by all gateways of an
/// installation.
///
/// Work runs on the store's own threads. Any thread may call the methods. The methods suspend their
/// caller without blocking a thread.
///
/// Each method throws ``StorageError/unavailable(path:cause:)`` when another process locks the file
/// for more than 5 s, or when the disk fails. Each method throws
/// ``StorageError/corrupt(path:cause:)`` for a damaged file, and ``StorageError/cancelled`` after
/// the cancellation of the calling task.
public final class ClientEventsStore: Sendable {
  private let engine: any StoreEngine
  private let capacity: Int

  /// Opens the file, or creates it with mode 0600, and migrates its table.
  ///
  /// Blocks briefly: call this initializer while the process starts.
  ///
  /// - Parameter capacity: The maximum number of events to keep; the store evicts the oldest
  ///   events.
  /// - Throws: ``StorageError/unavailable(path:cause:)`` if this process cannot open or create the
  ///   file; ``StorageError/newerSchema(path:)`` if a newer version of Carillon wrote the file;
  ///   or ``StorageError/corrupt(path:cause:)`` if the file is damaged.
  public init(path: String, capacity: Int = .max) throws(StorageError) {
    engine = try SQLiteEngine(path, migratedBy: ClientEventsSchema.migrator)
    self.capacity = capacity
  }

  /// Opens or creates the store, and migrates its table.
  ///
  /// The store is `client-events.sqlite` in a directory, or the schema `carillon_events` in
  /// PostgreSQL. Blocks briefly: call this initializer while the process starts.
  ///
  /// - Parameter capacity: The maximum number of events to keep; the store evicts the oldest
  ///   events.
  /// - Throws: The errors of ``init(path:capacity:)``.
  public init(in location: StoreLocation, capacity: Int = .max) throws(StorageError) {
    engine = try location.engine(
      sqlite: { directory throws(StorageError) in
        try SQLiteEngine(
          directory + "/client-events.sqlite", migratedBy: ClientEventsSchema.migrator)
      }, postgresql: .events, writing: .writingAlone)
    self.capacity = capacity
  }

  /// Adds events durably. This method skips an event that the store already has.
  public func add(_ events: [ReportedClientEvent]) async throws(StorageError) {
    do {
      try await engine.write { [capacity] database in
        for event in events { try Self.insert(event, in: database) }
        guard capacity < .max else { return }
        try database.run(
          "DELETE FROM event WHERE number <= (SELECT max(number) FROM event) - ?", [capacity])
      }
    } catch { throw engine.failure(error) }
  }

  /// Returns the events after a number, in order of arrival.
  ///
  /// - Parameters:
  ///   - meeting: The meeting, including its replicas; `nil` for all meetings.
  ///   - after: The number after which the events begin; 0 to begin with the first event.
  ///   - limit: The maximum number of events to return.
  public func events(
    of meeting: MeetingID? = nil, after number: Int64 = 0, limit: Int
  ) async throws(StorageError) -> [StoredClientEvent] {
    do {
      return try await engine.read { database in
        let rows =
          if let meeting {
            try database.rows(
              """
              SELECT * FROM event WHERE number > ? AND (meeting_id = ? OR primary_id = ?)
              ORDER BY number LIMIT ?
              """, [number, meeting.text, meeting.text, limit])
          } else {
            try database.rows(
              "SELECT * FROM event WHERE number > ? ORDER BY number LIMIT ?", [number, limit])
          }
        return try rows.map(Self.event)
      }
    } catch { throw engine.failure(error) }
  }

  /// Returns the number of the newest event; 0 if the store has no event.
  public func lastNumber() async throws(StorageError) -> Int64 {
    do {
      return try await engine.read { database in
        Int64(try database.count("SELECT coalesce(max(number), 0) FROM event", []))
      }
    } catch { throw engine.failure(error) }
  }

  /// Erases the events of a user and of the user's attendees, and overwrites their bytes in the
  /// file.
  ///
  /// - Returns: The number of erased events.
  public func erase(
    _ user: ExternalUserID, and attendees: Set<AttendeeID>
  ) async throws(StorageError) -> Int {
    do {
      let count = try await engine.write { database in
        var count = try database.changes(
          "DELETE FROM event WHERE external_user_id = ?", [user.text])
        for attendee in attendees {
          count += try database.changes(
            "DELETE FROM event WHERE attendee_id = ?", [attendee.text])
        }
        return count
      }
      try await engine.scrub(["event"])
      return count
    } catch { throw engine.failure(error) }
  }

  /// Deletes the events that arrived before a time.
  public func purge(receivedBefore time: Int64) async throws(StorageError) {
    do {
      try await engine.write { try $0.run("DELETE FROM event WHERE received_at < ?", [time]) }
    } catch { throw engine.failure(error) }
  }

  private static func insert(_ event: ReportedClientEvent, in database: Database) throws {
    try database.run(
      """
      INSERT INTO event (received_at, meeting_id, primary_id, attendee_id, external_user_id, id,
        name, metadata, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """,
      [
        event.receivedAtMs, event.meeting.text, event.primary?.text, event.attendee.text,
        event.externalUserID?.text, event.id, event.name, event.metadata, event.payload,
      ])
  }

  @Sendable private static func event(_ row: SQLRow) throws -> StoredClientEvent {
    StoredClientEvent(
      number: try row.number("number"),
      event: ReportedClientEvent(
        meeting: try row.parsed("meeting_id") { text throws(InvalidModelValue) in
          try MeetingID(text)
        },
        primary: try row.parsedIfPresent("primary_id") { text throws(InvalidModelValue) in
          try MeetingID(text)
        },
        attendee: try row.parsed("attendee_id") { text throws(InvalidModelValue) in
          try AttendeeID(text)
        },
        externalUserID: try row.parsedIfPresent("external_user_id") {
          text throws(InvalidModelValue) in
          try ExternalUserID(text)
        },
        id: try row.text("id"), name: try row.text("name"),
        receivedAtMs: try row.number("received_at"), metadata: try row.text("metadata"),
        payload: try row.text("payload")))
  }
}
