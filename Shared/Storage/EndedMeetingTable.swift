internal import GRDB
internal import MeetingModel

/// What is left of meetings that ended.
enum EndedMeetingTable {
  /// Turns a live meeting into an ended one: its attendees' nonces stay, everything else goes.
  static func move(
    _ id: MeetingID, because cause: EndCause, at now: Int64, in database: Database
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

  static func nonce(
    of attendee: AttendeeID, in meeting: MeetingID, _ database: Database
  ) throws -> [UInt8]? {
    let sql = "SELECT nonce FROM ended_attendee WHERE id = ? AND meeting_id = ?"
    return try database.row(sql, [attendee.text, meeting.text])?.bytes("nonce")
  }

  /// - Returns: How many were forgotten.
  static func purge(endedBefore time: Int64, in database: Database) throws -> Int {
    try database.run("DELETE FROM ended_meeting WHERE ended_at < ?", [time])
    return database.changesCount
  }
}
