internal import MeetingModel

/// An attendee and the nonce that determines the attendee's token.
struct StoredAttendee: Sendable {
  var attendee: Attendee
  var nonce: [UInt8]
}

/// The rows of live meetings' attendees.
enum LiveAttendeeTable {
  static func fetch(
    _ id: AttendeeID, of meeting: MeetingID, in database: Database
  ) throws -> StoredAttendee? {
    let sql = "SELECT * FROM attendee WHERE id = ? AND meeting_id = ?"
    return try database.row(sql, [id.text, meeting.text]).map(stored)
  }

  static func fetch(
    _ externalID: ExternalUserID, of meeting: MeetingID, in database: Database
  ) throws -> StoredAttendee? {
    let sql = "SELECT * FROM attendee WHERE meeting_id = ? AND external_user_id = ?"
    return try database.row(sql, [meeting.text, externalID.text]).map(stored)
  }

  /// Returns a page of a meeting's attendees in order of creation.
  ///
  /// - Parameter ordinal: The position after which the page begins.
  static func fetch(
    of meeting: MeetingID, after ordinal: Int64, limit: Int, in database: Database
  ) throws -> [StoredAttendee] {
    let sql = "SELECT * FROM attendee WHERE meeting_id = ? AND ordinal > ? ORDER BY ordinal LIMIT ?"
    return try database.rows(sql, [meeting.text, ordinal, limit]).map(stored)
  }

  static func count(of meeting: MeetingID, in database: Database) throws -> Int {
    try database.count("SELECT COUNT(*) FROM attendee WHERE meeting_id = ?", [meeting.text])
  }

  static func insert(
    _ request: AttendeeRequest, with capabilities: AttendeeCapabilities, into meeting: MeetingID,
    at now: Int64, in database: Database
  ) throws -> StoredAttendee {
    let id = AttendeeID.random()
    let nonce = JoinTokenIssuer.makeNonce()
    let row = try database.row(
      """
      INSERT INTO attendee (id, meeting_id, external_user_id, display_name, nonce, audio, video,
        content, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      RETURNING ordinal
      """,
      [
        id.text, meeting.text, request.externalUserID.text, request.displayName?.text, nonce,
        capabilities.audio.rawValue, capabilities.video.rawValue, capabilities.content.rawValue,
        now,
      ])
    let attendee = Attendee(
      id: id, meetingID: meeting, externalUserID: request.externalUserID,
      displayName: request.displayName, capabilities: capabilities, createdAt: now,
      ordinal: try row?.number("ordinal") ?? 0)
    return StoredAttendee(attendee: attendee, nonce: nonce)
  }

  static func setCapabilities(
    _ capabilities: AttendeeCapabilities, of id: AttendeeID, in database: Database
  ) throws {
    try database.run(
      "UPDATE attendee SET audio = ?, video = ?, content = ? WHERE id = ?",
      [
        capabilities.audio.rawValue, capabilities.video.rawValue, capabilities.content.rawValue,
        id.text,
      ])
  }

  static func setMutedByOperator(_ isMuted: Bool, _ id: AttendeeID, in database: Database) throws {
    try database.run(
      "UPDATE attendee SET is_muted_by_operator = ? WHERE id = ?", [isMuted, id.text])
  }

  static func setBarred(_ isBarred: Bool, _ id: AttendeeID, in database: Database) throws {
    try database.run("UPDATE attendee SET is_barred = ? WHERE id = ?", [isBarred, id.text])
  }

  /// Returns the attendees who have the given external user id, in all meetings and up to a limit.
  static func fetch(
    of user: ExternalUserID, limit: Int, in database: Database
  ) throws -> [Attendee] {
    try database.rows(
      "SELECT * FROM attendee WHERE external_user_id = ? LIMIT ?", [user.text, limit]
    ).map { try stored($0).attendee }
  }

  static func delete(_ id: AttendeeID, in database: Database) throws {
    try database.run("DELETE FROM attendee WHERE id = ?", [id.text])
  }

  private static func stored(_ row: SQLRow) throws -> StoredAttendee {
    let attendee = Attendee(
      id: try row.parsed("id", AttendeeID.init(_:)),
      meetingID: try row.parsed("meeting_id", MeetingID.init(_:)),
      externalUserID: try row.parsed("external_user_id", ExternalUserID.init(_:)),
      displayName: try row.displayName("display_name"),
      capabilities: try row.composed("content") {
        try AttendeeCapabilities(
          audio: row.word("audio"), video: row.word("video"), content: row.word("content"))
      },
      isMutedByOperator: try row.flag("is_muted_by_operator"),
      isBarred: try row.flag("is_barred"),
      createdAt: try row.number("created_at"),
      ordinal: try row.number("ordinal"))
    return StoredAttendee(attendee: attendee, nonce: try row.bytes("nonce"))
  }
}
