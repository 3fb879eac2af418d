public import MeetingModel

// Stores the events of meetings. The transaction that causes an event stores the event and its
// pending deliveries.
extension MeetingStore {
  /// Returns the events of a meeting after a sequence, oldest first. The list does not contain
  /// events that the store has evicted.
  ///
  /// - Parameter limit: The maximum number of events to return; at least 1.
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown meeting, or a meeting whose
  ///   record the store has deleted.
  public func events(
    of meeting: MeetingID, after sequence: Int64 = 0, limit: Int
  ) async throws(StorageError) -> [MeetingEvent] {
    precondition(limit >= 1, "A page holds at least one event.")
    return try await read { database in
      guard try MeetingRecordTable.fetch(meeting, in: database) != nil else {
        throw StorageError.meetingNotFound(meeting)
      }
      return try EventTable.fetch(of: meeting, after: sequence, limit: limit, in: database)
    }
  }

  /// Returns the epoch of all meetings' events, in milliseconds since 1970-01-01T00:00:00Z.
  ///
  /// If a new store replaces a lost store, or if an operator restores the store from a copy, the
  /// epoch becomes later.
  public func eventEpoch() async throws(StorageError) -> Int64 {
    try await read { Int64(try $0.count("SELECT epoch FROM numbering", [])) }
  }

  func note(
    _ kind: MeetingEvent.Kind, of attendee: Attendee, at now: Int64, _ database: Database
  ) throws {
    let who = ParticipantIdentity(
      id: ParticipantID(attendee.id), externalUserID: attendee.externalUserID)
    try note(kind, in: attendee.meetingID, about: who, at: now, database)
  }

  /// Adds an event of a meeting, and a pending delivery of the event for each receiver.
  func note(
    _ kind: MeetingEvent.Kind, in meeting: MeetingID, about who: ParticipantIdentity? = nil,
    because reason: DepartureReason? = nil, at now: Int64, _ database: Database
  ) throws {
    let sequence = try MeetingRecordTable.takeSequence(of: meeting, in: database)
    let row = try database.row(
      """
      INSERT INTO meeting_event (id, meeting_id, sequence, type, at, attendee_id,
        external_user_id, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING number
      """,
      [
        GUID.random().text, meeting.text, sequence, kind.rawValue, now,
        who?.id.attendee.text, who?.externalUserID.text, reason?.rawValue,
      ])
    let number = try row?.number("number") ?? 0
    try WebhookTable.owe(number, at: sequence, of: meeting, in: database)
    try EventTable.trim(through: number - Int64(retention.maxEvents), in: database)
  }
}
