internal import MeetingModel

/// The rows of live meetings.
enum MeetingTable {
  static func exists(_ id: MeetingID, in database: Database) throws -> Bool {
    try database.row("SELECT 1 FROM meeting WHERE id = ?", [id.text]) != nil
  }

  /// Returns a live meeting.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown or ended meeting.
  static func fetch(_ id: MeetingID, in database: Database) throws -> Meeting {
    guard let row = try database.row("SELECT * FROM meeting WHERE id = ?", [id.text]) else {
      throw StorageError.meetingNotFound(id)
    }
    return try meeting(row, in: database)
  }

  /// Returns the live meeting that an earlier request with the same tenant and the same token
  /// created.
  ///
  /// The returned fingerprint belongs to the request that created the meeting.
  static func fetch(
    madeAs request: MeetingRequest, in database: Database
  ) throws -> (meeting: Meeting, fingerprint: [UInt8])? {
    let sql = "SELECT * FROM meeting WHERE request_token = ?"
    return try database.row(sql, [token(of: request)]).map { row in
      (try meeting(row, in: database), try row.bytes("request_fingerprint"))
    }
  }

  /// Returns the value of `request_token` for a request.
  ///
  /// The value is the token, prefixed with the tenant and a line feed if the request has exactly
  /// one tenant. Neither a tenant id nor a token contains a line feed.
  private static func token(of request: MeetingRequest) -> String {
    let tenants = Set(request.tenantIDs)
    guard let tenant = tenants.first, tenants.count == 1 else { return request.token.text }
    return "\(tenant.text)\n\(request.token.text)"
  }

  /// Returns a page of live meetings in order of creation.
  ///
  /// - Parameter ordinal: The position after which the page begins.
  static func fetch(
    after ordinal: Int64, limit: Int, in database: Database
  ) throws -> [(ordinal: Int64, meeting: Meeting)] {
    let sql = "SELECT * FROM meeting WHERE ordinal > ? ORDER BY ordinal LIMIT ?"
    return try database.rows(sql, [ordinal, limit]).map { row in
      (try row.number("ordinal"), try meeting(row, in: database))
    }
  }

  /// Returns the newest meeting that has the given external id and is not a replica.
  static func newestPrimary(named externalID: String, in database: Database) throws -> Meeting? {
    let sql = """
      SELECT * FROM meeting WHERE external_id = ? AND primary_id IS NULL
      ORDER BY ordinal DESC LIMIT 1
      """
    return try database.row(sql, [externalID]).map { try meeting($0, in: database) }
  }

  static func replicas(of id: MeetingID, in database: Database) throws -> [MeetingID] {
    let sql = "SELECT id FROM meeting WHERE primary_id = ? ORDER BY ordinal"
    return try database.rows(sql, [id.text]).map { try $0.parsed("id", MeetingID.init(_:)) }
  }

  /// Returns the number of live meetings.
  static func count(in database: Database) throws -> Int {
    try database.count("SELECT count(*) FROM meeting", [])
  }

  static func insert(_ request: MeetingRequest, as meeting: Meeting, in database: Database) throws {
    try database.run(
      """
      INSERT INTO meeting (id, request_token, request_fingerprint, external_id, host_id, region,
        echo_reduction, video, content, max_attendees, primary_id, placement_base, created_at,
        last_occupied_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        meeting.id.text, token(of: request), request.fingerprint.bytes,
        meeting.externalID.text, meeting.hostID?.text, meeting.region.text,
        meeting.features.echoReduction, meeting.features.video.rawValue,
        meeting.features.content.rawValue, meeting.features.maxAttendees, meeting.primaryID?.text,
        meeting.placementBase, meeting.createdAt, meeting.createdAt,
      ])
    for (position, tenant) in meeting.tenantIDs.enumerated() {
      try database.run(
        "INSERT INTO meeting_tenant (meeting_id, position, tenant_id) VALUES (?, ?, ?)",
        [meeting.id.text, position, tenant.text])
    }
    for tag in meeting.tags { try TagTable.set(tag, of: meeting.id, in: database) }
  }

  /// Returns the last time at which a gateway had an attendee in the meeting.
  static func lastOccupied(_ id: MeetingID, in database: Database) throws -> Int64 {
    let sql = "SELECT last_occupied_at FROM meeting WHERE id = ?"
    return try database.row(sql, [id.text])?.number("last_occupied_at") ?? 0
  }

  static func setLocked(_ isLocked: Bool, _ id: MeetingID, in database: Database) throws {
    try database.run("UPDATE meeting SET is_locked = ? WHERE id = ?", [isLocked, id.text])
  }

  private static func meeting(_ row: SQLRow, in database: Database) throws -> Meeting {
    let id = try row.parsed("id", MeetingID.init(_:))
    return Meeting(
      id: id,
      externalID: try row.parsed("external_id", ExternalMeetingID.init(_:)),
      hostID: try row.parsedIfPresent("host_id", MeetingHostID.init(_:)),
      // The operator may have removed the region from the allowed regions. Existing meetings keep
      // the region.
      region: try row.parsed("region") { text throws(InvalidModelValue) in
        try MediaRegion(text, additional: [text])
      },
      features: try features(row),
      primaryID: try row.parsedIfPresent("primary_id", MeetingID.init(_:)),
      tenantIDs: try tenants(of: id, in: database),
      tags: try TagTable.fetch(of: id, in: database),
      createdAt: try row.number("created_at"),
      placementBase: try row.text("placement_base"),
      isLocked: try row.flag("is_locked"))
  }

  private static func features(_ row: SQLRow) throws -> MeetingFeatures {
    try row.composed("max_attendees") {
      try MeetingFeatures(
        echoReduction: row.flag("echo_reduction"), video: row.word("video"),
        content: row.word("content"), maxAttendees: Int(clamping: row.number("max_attendees")),
        upTo: .max)
    }
  }

  private static func tenants(of id: MeetingID, in database: Database) throws -> [TenantID] {
    let sql = "SELECT tenant_id FROM meeting_tenant WHERE meeting_id = ? ORDER BY position"
    return try database.rows(sql, [id.text]).map { try $0.parsed("tenant_id", TenantID.init(_:)) }
  }
}
