public import MeetingModel

/// What an erasure has taken away.
public struct Erasure: Hashable, Sendable {
  /// Stays that were in the attendance.
  public var sessions = 0

  /// Events that do not name the user any more.
  public var events = 0

  /// Meetings that do not name the user as their host any more.
  public var hosted = 0

  /// The attendees that the user was, as far as records told.
  public var attendees: Set<AttendeeID> = []
}

extension MeetingStore {
  /// The attendees of live meetings with this external user id, up to a limit.
  public func attendees(
    named user: ExternalUserID, limit: Int
  ) async throws(StorageError) -> [Attendee] {
    try await read { try AttendeeTable.fetch(of: user, limit: limit, in: $0) }
  }

  /// Takes a user's name, and when the user was where, out of all that is kept of what happened.
  ///
  /// Attendees of live meetings are not touched: they are deleted before, so that they hear of it.
  /// What was in the file is overwritten, and what is still on its way of them is not recorded.
  ///
  /// - Parameter deleted: The attendees that were deleted before.
  public func erase(
    _ user: ExternalUserID, and deleted: Set<AttendeeID>, at now: Int64
  ) async throws(StorageError) -> Erasure {
    let erasure = try await write { database in
      var erasure = Erasure()
      let rows = try database.rows(
        """
        SELECT attendee_id FROM attendance WHERE external_user_id = ?1
        UNION SELECT attendee_id FROM meeting_event WHERE external_user_id = ?1
        """, [user.text])
      erasure.attendees = try Set(rows.map { try $0.parsed("attendee_id", AttendeeID.init(_:)) })
      erasure.attendees.formUnion(deleted)
      for attendee in erasure.attendees {
        try ErasedTable.insert(attendee, at: now, in: database)
      }
      erasure.sessions = try database.changes(
        "DELETE FROM attendance WHERE external_user_id = ?", [user.text])
      erasure.events = try database.changes(
        "UPDATE meeting_event SET external_user_id = NULL WHERE external_user_id = ?", [user.text])
      erasure.hosted = try database.changes(
        "UPDATE meeting SET host_id = NULL WHERE host_id = ?", [user.text])
      return erasure
    }
    do {
      try await engine.scrub(["attendance", "meeting_event", "meeting", "attendee"])
    } catch { throw engine.failure(error) }
    return erasure
  }
}
