internal import MeetingModel

/// The rows of attendees' sessions in meetings.
enum AttendanceTable {
  static func insert(
    _ who: ParticipantIdentity, in meeting: MeetingID, since joinedAt: Int64, _ database: Database
  ) throws {
    try database.run(
      """
      INSERT INTO attendance (meeting_id, attendee_id, external_user_id, display_name, joined_at)
      VALUES (?, ?, ?, ?, ?)
      """,
      [
        meeting.text, who.id.attendee.text, who.externalUserID.text, who.displayName?.text,
        joinedAt,
      ])
  }

  /// Returns the current session of an attendee; `nil` if the attendee has no current session.
  static func running(
    _ attendee: AttendeeID, in meeting: MeetingID, _ database: Database
  ) throws -> AttendanceSession? {
    let sql = """
      SELECT * FROM attendance WHERE meeting_id = ? AND attendee_id = ? AND left_at IS NULL
      """
    return try database.row(sql, [meeting.text, attendee.text]).map(session)
  }

  /// Returns all current sessions in a meeting.
  static func running(
    in meeting: MeetingID, _ database: Database
  ) throws -> [AttendanceSession] {
    let sql = "SELECT * FROM attendance WHERE meeting_id = ? AND left_at IS NULL ORDER BY number"
    return try database.rows(sql, [meeting.text]).map(session)
  }

  static func end(
    _ number: Int64, with reason: DepartureReason, at now: Int64, in database: Database
  ) throws {
    try database.run(
      """
      UPDATE attendance SET left_at = CASE WHEN joined_at > ?1 THEN joined_at ELSE ?1 END,
        reason = ?2
      WHERE number = ?3
      """, [now, reason.rawValue, number])
  }

  static func fetch(
    of meeting: MeetingID, after number: Int64, limit: Int, in database: Database
  ) throws -> [AttendanceSession] {
    let sql = "SELECT * FROM attendance WHERE meeting_id = ? AND number > ? ORDER BY number LIMIT ?"
    return try database.rows(sql, [meeting.text, number, limit]).map(session)
  }

  private static func session(_ row: SQLRow) throws -> AttendanceSession {
    AttendanceSession(
      number: try row.number("number"),
      meeting: try row.parsed("meeting_id", MeetingID.init(_:)),
      attendee: try row.parsed("attendee_id", AttendeeID.init(_:)),
      externalUserID: try row.parsed("external_user_id", ExternalUserID.init(_:)),
      displayName: try row.displayName("display_name"),
      joinedAt: try row.number("joined_at"),
      left: try row.numberIfPresent("left_at").map {
        AttendanceSession.Departure(at: $0, reason: try row.word("reason"))
      })
  }
}
