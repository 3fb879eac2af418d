public import MeetingModel

extension MeetingStore {
  /// Ends a meeting and its replicas.
  ///
  /// The store deletes the attendees and tags of these meetings, and applications may use the
  /// client request tokens of these meetings again. With the remaining rows,
  /// ``admission(meeting:attendee:token:)`` can report the end to the attendees.
  ///
  /// - Returns: All ended meetings, first the meeting `id`. The replicas have the cause
  ///   `primaryEnded`.
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown or ended meeting. Of concurrent
  ///   calls, only one ends the meeting.
  public func endMeeting(
    _ id: MeetingID, because cause: MeetingEndReason, at now: Int64
  ) async throws(StorageError) -> [EndedMeeting] {
    try await write { [self] database in
      try requireMeeting(id, database)
      let replicas = try MeetingTable.replicas(of: id, in: database)
      // The database refuses to delete a primary while rows refer to it.
      for replica in replicas {
        try close(replica, at: now, database)
        try EndedMeetingTable.move(replica, because: .primaryEnded, at: now, in: database)
      }
      try close(id, at: now, database)
      try EndedMeetingTable.move(id, because: cause, at: now, in: database)
      return [EndedMeeting(meeting: id, cause: cause)]
        + replicas.map { EndedMeeting(meeting: $0, cause: .primaryEnded) }
    }
  }

  /// Returns a meeting and its replicas, which end together.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown or ended meeting.
  public func meetingsThatEnd(with id: MeetingID) async throws(StorageError) -> [MeetingID] {
    try await read { [self] database in
      try requireMeeting(id, database)
      return [id] + (try MeetingTable.replicas(of: id, in: database))
    }
  }

  /// Ends the meeting's sessions, and then adds the meeting's last event.
  private func close(_ meeting: MeetingID, at now: Int64, _ database: Database) throws {
    for session in try AttendanceTable.running(in: meeting, database) {
      try end(session, with: .meetingEnded, at: now, database)
    }
    try note(.meetingEnded, in: meeting, at: now, database)
    try MeetingRecordTable.end(meeting, at: now, in: database)
  }

  /// Deletes the rows of meetings that ended before `time`. After the deletion, the store refuses
  /// tokens of these meetings and reports no reason.
  ///
  /// - Returns: The number of deleted meetings.
  @discardableResult
  public func purge(endedBefore time: Int64) async throws(StorageError) -> Int {
    try await write { try EndedMeetingTable.purge(endedBefore: time, in: $0) }
  }

  /// Records that attendees were connected to these meetings at `now`.
  ///
  /// Ignores ended meetings, and a time that is earlier than the recorded time.
  public func noteOccupied(_ meetings: [MeetingID], at now: Int64) async throws(StorageError) {
    guard !meetings.isEmpty else { return }
    try await write { database in
      for meeting in meetings {
        try database.run(
          "UPDATE meeting SET last_occupied_at = ?1 WHERE id = ?2 AND last_occupied_at < ?1",
          [now, meeting.text])
      }
    }
  }

  /// Returns the meetings that are due to end, oldest first, with the causes.
  ///
  /// The end of a primary ends its replicas, and another gateway may end meetings too. So a meeting
  /// in the list may already have ended when the caller calls ``endMeeting(_:because:at:)`` for
  /// this meeting.
  ///
  /// - Parameters:
  ///   - idleAfter: How long a meeting and its replicas may have no connected attendee. If no
  ///     attendee ever connected, the time counts from the meeting's creation. This limit does not
  ///     apply to a replica itself.
  ///   - maximumAge: The longest life of any meeting.
  public func meetingsToEnd(
    now: Int64, idleAfter: Duration, maximumAge: Duration
  ) async throws(StorageError) -> [EndedMeeting] {
    let oldest = now - maximumAge.wholeMs
    let quietest = now - idleAfter.wholeMs
    return try await read { database in
      let rows = try database.rows(
        """
        SELECT id, created_at <= ?1 AS is_expired FROM meeting
        WHERE created_at <= ?1 OR (primary_id IS NULL AND last_occupied_at <= ?2
          AND NOT EXISTS (
            SELECT 1 FROM meeting AS replica
            WHERE replica.primary_id = meeting.id AND replica.last_occupied_at > ?2
              AND replica.last_occupied_at > replica.created_at))
        ORDER BY ordinal
        """, [oldest, quietest])
      return try rows.map { row in
        EndedMeeting(
          meeting: try row.parsed("id", MeetingID.init(_:)),
          cause: try row.flag("is_expired") ? .expired : .idle)
      }
    }
  }
}

extension Duration {
  var wholeMs: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
