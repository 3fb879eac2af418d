internal import MeetingModel

/// The rows of meetings' records. The store keeps these rows after the end of the meetings.
enum MeetingRecordTable {
  static func insert(_ meeting: Meeting, in database: Database) throws {
    try database.run(
      "INSERT INTO record (meeting_id, external_id, primary_id, tenants, created_at) "
        + "VALUES (?, ?, ?, ?, ?)",
      [
        meeting.id.text, meeting.externalID.text, meeting.primaryID?.text,
        meeting.tenantIDs.map(\.text).joined(separator: "\n"), meeting.createdAt,
      ])
  }

  static func fetch(_ id: MeetingID, in database: Database) throws -> MeetingRecord? {
    try database.row("SELECT * FROM record WHERE meeting_id = ?", [id.text]).map(record)
  }

  /// Returns the recorded position in a roster; `nil` for an unknown or ended meeting.
  static func place(of id: MeetingID, in database: Database) throws -> RosterPosition? {
    let sql = """
      SELECT roster_epoch, roster_sequence FROM record WHERE meeting_id = ? AND ended_at IS NULL
      """
    return try database.row(sql, [id.text]).map(place)
  }

  static func setPlace(
    _ id: MeetingID, epoch: UInt64, sequence: UInt64, in database: Database
  ) throws {
    try database.run(
      "UPDATE record SET roster_epoch = ?, roster_sequence = ? WHERE meeting_id = ?",
      [Int64(bitPattern: epoch), Int64(bitPattern: sequence), id.text])
  }

  static func end(_ id: MeetingID, at now: Int64, in database: Database) throws {
    try database.run("UPDATE record SET ended_at = ? WHERE meeting_id = ?", [now, id.text])
  }

  /// Assigns the next sequence among a meeting's events.
  static func takeSequence(of id: MeetingID, in database: Database) throws -> Int64 {
    let sql = """
      UPDATE record SET last_event = last_event + 1 WHERE meeting_id = ? RETURNING last_event
      """
    guard let row = try database.row(sql, [id.text]) else { throw StorageError.meetingNotFound(id) }
    return try row.number("last_event")
  }

  /// Reserves room for one session in a meeting's attendance.
  ///
  /// - Returns: Whether there was room for the session. If there was no room, this method counts
  ///   the session as unrecorded.
  static func takeSession(
    of id: MeetingID, most: Int, in database: Database
  ) throws -> Bool {
    try database.run(
      """
      UPDATE record SET sessions = sessions + CASE WHEN sessions < ? THEN 1 ELSE 0 END,
        unrecorded = unrecorded + CASE WHEN sessions >= ? THEN 1 ELSE 0 END
      WHERE meeting_id = ?
      """, [most, most, id.text])
    return try database.count(
      "SELECT unrecorded FROM record WHERE meeting_id = ?", [id.text]) == 0
  }

  static func place(_ row: SQLRow) throws -> RosterPosition {
    RosterPosition(
      epoch: row.isNull("roster_epoch") ? nil : UInt64(bitPattern: try row.number("roster_epoch")),
      sequence: UInt64(bitPattern: try row.number("roster_sequence")))
  }

  private static func record(_ row: SQLRow) throws -> MeetingRecord {
    MeetingRecord(
      meeting: try row.parsed("meeting_id", MeetingID.init(_:)),
      externalMeetingID: try row.parsed("external_id", ExternalMeetingID.init(_:)),
      primary: try row.parsedIfPresent("primary_id", MeetingID.init(_:)),
      tenantIDs: try row.composed("tenants") {
        try row.text("tenants").split(separator: "\n").map { try TenantID(String($0)) }
      },
      createdAt: try row.number("created_at"), endedAt: try row.numberIfPresent("ended_at"),
      unrecorded: try row.number("unrecorded"), lastEvent: try row.number("last_event"))
  }
}
