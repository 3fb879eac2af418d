public import MeetingModel

/// The result of an erasure.
public struct ErasureResult: Hashable, Sendable {
  /// The number of sessions removed from the attendance.
  public var sessions = 0

  /// The number of events from which the erasure removed the user's name.
  public var events = 0

  /// The number of meetings from which the erasure removed the user as host.
  public var hosted = 0

  /// The user's attendees whom the records still name.
  public var attendees: Set<AttendeeID> = []
}

extension MeetingStore {
  /// Returns the attendees who have the given external user id, in all live meetings and up to a
  /// limit.
  public func attendees(
    named user: ExternalUserID, limit: Int
  ) async throws(StorageError) -> [Attendee] {
    try await read { try LiveAttendeeTable.fetch(of: user, limit: limit, in: $0) }
  }

  /// Removes a user's name and sessions from all records.
  ///
  /// This method does not change attendees of live meetings. The caller deletes these attendees
  /// first, so that Carillon notifies these attendees. The store overwrites the removed data in its
  /// file. After this call, the store does not record late events about the user's attendees.
  ///
  /// - Parameter deleted: The attendees that the caller has deleted.
  public func erase(
    _ user: ExternalUserID, and deleted: Set<AttendeeID>, at now: Int64
  ) async throws(StorageError) -> ErasureResult {
    let erasure = try await write { database in
      var erasure = ErasureResult()
      let rows = try database.rows(
        """
        SELECT attendee_id FROM attendance WHERE external_user_id = ?1
        UNION SELECT attendee_id FROM meeting_event WHERE external_user_id = ?1
        """, [user.text])
      erasure.attendees = try Set(rows.map { try $0.parsed("attendee_id", AttendeeID.init(_:)) })
      erasure.attendees.formUnion(deleted)
      for attendee in erasure.attendees {
        try ErasedAttendeeTable.insert(attendee, at: now, in: database)
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
