internal import MeetingModel

/// The rows of live meetings' tags.
enum TagTable {
  /// Returns a meeting's tags in the order of their keys.
  static func fetch(of meeting: MeetingID, in database: Database) throws -> [MeetingTag] {
    let sql = "SELECT key, value FROM meeting_tag WHERE meeting_id = ? ORDER BY key"
    return try database.rows(sql, [meeting.text]).map { row in
      try row.composed("key") { try MeetingTag(key: row.text("key"), value: row.text("value")) }
    }
  }

  static func count(of meeting: MeetingID, in database: Database) throws -> Int {
    try database.count("SELECT COUNT(*) FROM meeting_tag WHERE meeting_id = ?", [meeting.text])
  }

  /// Adds a tag. If the meeting already has a tag with this key, replaces the value of that tag.
  static func set(_ tag: MeetingTag, of meeting: MeetingID, in database: Database) throws {
    try database.run(
      """
      INSERT INTO meeting_tag (meeting_id, key, value) VALUES (?, ?, ?)
      ON CONFLICT (meeting_id, key) DO UPDATE SET value = excluded.value
      """, [meeting.text, tag.key, tag.value])
  }

  static func delete(_ key: String, of meeting: MeetingID, in database: Database) throws {
    try database.run(
      "DELETE FROM meeting_tag WHERE meeting_id = ? AND key = ?", [meeting.text, key])
  }
}
