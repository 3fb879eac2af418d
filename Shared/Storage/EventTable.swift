internal import MeetingModel

/// The rows of meetings' events.
enum EventTable {
  static let columns = """
    meeting_event.number, meeting_event.id, meeting_event.meeting_id, meeting_event.sequence, type,
    at, attendee_id, external_user_id, reason, external_id, primary_id
    """

  static func fetch(
    of meeting: MeetingID, after sequence: Int64, limit: Int, in database: Database
  ) throws -> [MeetingEvent] {
    try database.rows(
      """
      SELECT \(columns) FROM meeting_event JOIN record USING (meeting_id)
      WHERE meeting_event.meeting_id = ? AND sequence > ? ORDER BY sequence LIMIT ?
      """, [meeting.text, sequence, limit]
    ).map(event)
  }

  /// Evicts the oldest events and their pending deliveries. Counts these deliveries as dropped.
  static func trim(through number: Int64, in database: Database) throws {
    guard number > 0,
      try database.row("SELECT 1 FROM meeting_event WHERE number <= ? LIMIT 1", [number]) != nil
    else { return }
    try WebhookTable.countDropped(
      "SELECT number FROM meeting_event WHERE number <= ?", [number], in: database)
    try database.run("DELETE FROM meeting_event WHERE number <= ?", [number])
  }

  static func event(_ row: SQLRow) throws -> MeetingEvent {
    MeetingEvent(
      number: try row.number("number"), id: try row.text("id"), kind: try row.word("type"),
      sequence: try row.number("sequence"), at: try row.number("at"),
      meeting: try row.parsed("meeting_id", MeetingID.init(_:)),
      externalMeetingID: try row.parsed("external_id", ExternalMeetingID.init(_:)),
      primary: try row.parsedIfPresent("primary_id", MeetingID.init(_:)),
      attendee: try row.parsedIfPresent("attendee_id", AttendeeID.init(_:)),
      externalUserID: try row.parsedIfPresent("external_user_id", ExternalUserID.init(_:)),
      reason: row.isNull("reason") ? nil : try row.word("reason"))
  }
}
