public import MeetingModel

// Stores records of the joins and leaves that `presence` reports. The store records each event
// once, even if several gateways deliver it repeatedly.
extension MeetingStore {
  /// Records joins and leaves. Ignores histories of ended meetings.
  ///
  /// - Returns: The recorded positions of meetings whose history starts after a gap. The store
  ///   records nothing of a history that starts after a gap. The caller must request the missing
  ///   events from `presence`.
  public func record(
    _ histories: [JoinLeaveHistory]
  ) async throws(StorageError) -> [MeetingID: RosterPosition] {
    try await write { [self] database in
      var behind: [MeetingID: RosterPosition] = [:]
      for history in histories {
        guard let place = try MeetingRecordTable.place(of: history.meeting, in: database) else {
          continue
        }
        guard history.follows(place) else {
          behind[history.meeting] = place
          continue
        }
        let recorded = place.epoch == nil ? 0 : place.sequence
        for change in history.changes where change.sequence > recorded {
          try take(change, in: history.meeting, database)
        }
        guard history.sequences.upperBound > recorded else { continue }
        try MeetingRecordTable.setPlace(
          history.meeting, epoch: history.epoch, sequence: history.sequences.upperBound,
          in: database)
      }
      return behind
    }
  }

  /// Records the participants of a meeting when the events since the recorded position are unknown.
  ///
  /// For recorded attendees who are now absent, the store records a leave for an unknown reason.
  /// The store assumes that all other recorded attendees were present for the whole time. Ignores a
  /// state that is older than the recorded position in the same epoch.
  ///
  /// - Parameter history: The events before the state. If the epoch of these events is new to the
  ///   record, the store also records the joins and leaves in `history`.
  public func record(
    _ state: RosterState, after history: JoinLeaveHistory? = nil, at now: Int64
  ) async throws(StorageError) {
    try await write { [self] database in
      guard let place = try MeetingRecordTable.place(of: state.meeting, in: database) else {
        return
      }
      guard place.epoch != state.epoch || place.sequence <= state.sequence else { return }
      if let history, history.epoch == state.epoch, place.epoch != state.epoch {
        // In a new epoch, `presence` reports the current content shares again.
        for change in history.changes
        where change.sequence <= state.sequence && !change.who.id.isContent {
          try take(change, in: state.meeting, database)
        }
      }
      let present = state.present.filter { !$0.who.id.isContent }
      let ids = Set(present.map(\.who.id.attendee))
      // In an empty meeting, the leave time of the last attendees is the last time at which a
      // gateway had an attendee of the meeting.
      let last = ids.isEmpty ? try MeetingTable.lastOccupied(state.meeting, in: database) : now
      for session in try AttendanceTable.running(in: state.meeting, database)
      where !ids.contains(session.attendee) {
        try end(session, with: .unknown, at: max(session.joinedAt, last), database)
      }
      for (who, since) in present
      where try !ErasedAttendeeTable.contains(who.id.attendee, in: database) {
        try begin(who, in: state.meeting, since: since, database)
      }
      try MeetingRecordTable.setPlace(
        state.meeting, epoch: state.epoch, sequence: state.sequence, in: database)
    }
  }

  /// Returns the recorded position in a meeting's roster; `nil` for an unknown or ended meeting.
  public func rosterPlace(of meeting: MeetingID) async throws(StorageError) -> RosterPosition? {
    try await read { try MeetingRecordTable.place(of: meeting, in: $0) }
  }

  /// Returns the meetings whose record has current sessions, although no gateway has had an
  /// attendee of the meeting since the given time.
  public func strayRecords(
    unoccupiedSince time: Int64, limit: Int
  ) async throws(StorageError) -> [MeetingID] {
    try await read { database in
      try database.rows(
        """
        SELECT DISTINCT attendance.meeting_id AS id
        FROM attendance JOIN meeting ON meeting.id = attendance.meeting_id
        WHERE left_at IS NULL AND last_occupied_at < ? LIMIT ?
        """, [time, limit]
      ).map { try $0.parsed("id", MeetingID.init(_:)) }
    }
  }

  /// Deletes the records of meetings that ended before a time. Counts the deliveries that the store
  /// drops with the records.
  ///
  /// - Parameter erased: The method also deletes entries about attendees whom the store erased
  ///   before this time.
  public func purgeRecords(
    endedBefore time: Int64, erasedBefore erased: Int64
  ) async throws(StorageError) {
    try await write { database in
      try WebhookTable.countDropped(
        """
        SELECT number FROM meeting_event JOIN record USING (meeting_id) WHERE ended_at < ?
        """, [time], in: database)
      try database.run("DELETE FROM record WHERE ended_at < ?", [time])
      try database.run("DELETE FROM erased_attendee WHERE erased_at < ?", [erased])
    }
  }

  /// Returns the record of a meeting.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown meeting, or a meeting whose
  ///   record the store has deleted.
  public func meetingRecord(_ id: MeetingID) async throws(StorageError) -> MeetingRecord {
    try await read { database in
      guard let record = try MeetingRecordTable.fetch(id, in: database) else {
        throw StorageError.meetingNotFound(id)
      }
      return record
    }
  }

  /// Lists the sessions of attendees in a meeting, in order of joining.
  ///
  /// - Parameters:
  ///   - position: ``ResultPage/next`` of the previous page; 0 for the first page.
  ///   - limit: The maximum number of sessions on the page. It must be at least 1.
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown meeting, or a meeting whose
  ///   record the store has deleted.
  public func attendance(
    of meeting: MeetingID, after position: Int64 = 0, limit: Int
  ) async throws(StorageError) -> ResultPage<AttendanceSession> {
    precondition(limit >= 1, "A page holds at least one session.")
    return try await read { database in
      guard try MeetingRecordTable.fetch(meeting, in: database) != nil else {
        throw StorageError.meetingNotFound(meeting)
      }
      let found = try AttendanceTable.fetch(
        of: meeting, after: position, limit: limit + 1, in: database)
      let page = found.prefix(limit)
      return ResultPage(
        elements: Array(page), next: found.count > limit ? page.last?.number : nil)
    }
  }

  // MARK: In a transaction

  private func take(
    _ change: JoinLeaveHistory.Change, in meeting: MeetingID, _ database: Database
  ) throws {
    guard try !ErasedAttendeeTable.contains(change.who.id.attendee, in: database) else { return }
    guard let departure = change.departure else {
      return try begin(change.who, in: meeting, since: change.at, database)
    }
    if change.who.id.isContent {
      try note(
        departure.isDrop ? .contentDropped : .contentLeft, in: meeting, about: change.who,
        because: departure, at: change.at, database)
    } else if let session = try AttendanceTable.running(
      change.who.id.attendee, in: meeting, database)
    {
      try end(session, with: departure, at: change.at, database)
    }
  }

  private func begin(
    _ who: ParticipantIdentity, in meeting: MeetingID, since time: Int64, _ database: Database
  ) throws {
    if who.id.isContent {
      return try note(.contentJoined, in: meeting, about: who, at: time, database)
    }
    guard try AttendanceTable.running(who.id.attendee, in: meeting, database) == nil,
      try MeetingRecordTable.takeSession(of: meeting, most: retention.maxSessions, in: database)
    else { return }
    try AttendanceTable.insert(who, in: meeting, since: time, database)
    try note(.attendeeJoined, in: meeting, about: who, at: time, database)
  }

  /// Ends an attendee's session, and adds an event about the end of the session.
  func end(
    _ session: AttendanceSession, with reason: DepartureReason, at now: Int64, _ database: Database
  ) throws {
    try AttendanceTable.end(session.number, with: reason, at: now, in: database)
    let who = ParticipantIdentity(
      id: ParticipantID(session.attendee), externalUserID: session.externalUserID)
    try note(
      reason.isDrop ? .attendeeDropped : .attendeeLeft, in: session.meeting, about: who,
      because: reason, at: now, database)
  }
}

extension JoinLeaveHistory {
  /// Returns whether the history continues without a gap after the recorded position.
  fileprivate func follows(_ place: RosterPosition) -> Bool {
    guard let epoch = place.epoch else { return sequences.lowerBound == 1 }
    return self.epoch == epoch && sequences.lowerBound <= place.sequence + 1
  }
}
