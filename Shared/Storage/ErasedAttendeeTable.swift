internal import MeetingModel

/// The rows of recently erased attendees. The store must not record late events about these
/// attendees.
enum ErasedAttendeeTable {
  static func insert(_ id: AttendeeID, at now: Int64, in database: Database) throws {
    try database.run(
      "INSERT INTO erased_attendee (attendee_id, erased_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
      [id.text, now])
  }

  static func contains(_ id: AttendeeID, in database: Database) throws -> Bool {
    try database.row("SELECT 1 FROM erased_attendee WHERE attendee_id = ?", [id.text]) != nil
  }
}
