internal import MeetingModel

/// The rows that remain of ended meetings.
enum EndedMeetingTable {
  /// Converts a live meeting to an ended meeting. Keeps only the nonces of the meeting's attendees.
  static func move(
    _ id: MeetingID, because cause: MeetingEndReason, at now: Int64, in database: Database
  ) throws {
    try database.run(
      "INSERT INTO ended_meeting (id, cause, ended_at) VALUES (?, ?, ?)",
      [id.text, cause.rawValue, now])
    try database.run(
      """
      INSERT INTO ended_attendee (id, meeting_id, nonce)
      SELECT id, meeting_id, nonce FROM attendee WHERE meeting_id = ?
      """, [id.text])
    try database.run("DELETE FROM meeting WHERE id = ?", [id.text])
  }

  /// Returns an attendee's nonce and the cause of the meeting's end; `nil` unless the meeting
  /// ended.
  static func fetch(
    _ attendee: AttendeeID, of meeting: MeetingID, in database: Database
  ) throws -> (nonce: [UInt8], cause: MeetingEndReason)? {
    let sql = """
      SELECT nonce, cause FROM ended_attendee JOIN ended_meeting
      ON ended_meeting.id = ended_attendee.meeting_id
      WHERE ended_attendee.id = ? AND ended_attendee.meeting_id = ?
      """
    guard let row = try database.row(sql, [attendee.text, meeting.text]) else { return nil }
    return (try row.bytes("nonce"), try row.word("cause"))
  }

  /// Deletes the rows of meetings that ended before a time.
  ///
  /// - Returns: The number of deleted meetings.
  static func purge(endedBefore time: Int64, in database: Database) throws -> Int {
    try database.changes("DELETE FROM ended_meeting WHERE ended_at < ?", [time])
  }
}
