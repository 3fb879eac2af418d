import GRDB
import MeetingModel
import PostgreSQL
import TestSupport
import Testing

@testable import Storage

@Suite struct DisplayNameStoreTests {
  @Test(arguments: [
    "Łukasz", "花子", "Zo\u{EB}", "O'Neil \"x\" \\",
    "\u{2067}עדה\u{2069}", "👨‍👩‍👧‍👦",
  ])
  func `a display name is read back unchanged`(text: String) async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      var request = try attendeeRequest("guest-1")
      request.displayName = try DisplayName(text)
      let made = try await store.createAttendee(request, in: meeting, at: 1)
      #expect(made.attendee.displayName == request.displayName)
      let found = try await store.attendee(made.attendee.id, in: meeting)
      #expect(found == made)
      #expect(
        try #require(found.attendee.displayName?.text).unicodeScalars
          .elementsEqual(text.unicodeScalars))
      // A repeated request with another name returns the unchanged attendee.
      request.displayName = try DisplayName("somebody else")
      #expect(try await store.createAttendee(request, in: meeting, at: 2) == made)
    }
  }

  @Test func `a name that is too long under newer Unicode rules is omitted without an error`()
    async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let ada = try await store.makeAttendee("ada", in: meeting)
      let long = String(repeating: "x", count: 65)
      try await store.write { database in
        try database.run("UPDATE attendee SET display_name = ?", [long])
      }
      #expect(try await store.attendee(ada.attendee.id, in: meeting) == ada)
    }
  }

  /// Rows of an attendee in the format of the previous version.
  private static let before = """
    INSERT INTO meeting (id, request_token, request_fingerprint, external_id, region,
      echo_reduction, video, content, max_attendees, placement_base, created_at, last_occupied_at)
    VALUES ('5f0c6c5e-2a0b-4a51-9d3c-0e6f1a2b3c4d', 'token-1', 'x', 'standup', 'us-east-1', 0,
      'HD', 'FHD', 10, 'http://127.0.0.1:8080', 1, 1);
    INSERT INTO attendee (id, meeting_id, external_user_id, nonce, audio, video, content,
      created_at)
    VALUES ('a1a1a1a1-0000-4000-8000-000000000001', '5f0c6c5e-2a0b-4a51-9d3c-0e6f1a2b3c4d', 'ada',
      '0123456789abcdef', 'SendReceive', 'SendReceive', 'SendReceive', 1);
    INSERT INTO record (meeting_id, external_id, tenants, created_at)
    VALUES ('5f0c6c5e-2a0b-4a51-9d3c-0e6f1a2b3c4d', 'standup', '', 1);
    INSERT INTO attendance (meeting_id, attendee_id, external_user_id, joined_at)
    VALUES ('5f0c6c5e-2a0b-4a51-9d3c-0e6f1a2b3c4d', 'a1a1a1a1-0000-4000-8000-000000000001', 'ada',
      7);
    """

  private func check(_ store: MeetingStore) async throws {
    let meeting = try MeetingID("5f0c6c5e-2a0b-4a51-9d3c-0e6f1a2b3c4d")
    let attendees = try await store.listAttendees(in: meeting, limit: 9).elements.map(\.attendee)
    #expect(attendees.map(\.externalUserID.text) == ["ada"])
    #expect(attendees.map(\.displayName) == [nil])
    let stays = try await store.attendance(of: meeting, limit: 9).elements
    #expect(stays.map(\.joinedAt) == [7])
    #expect(stays.map(\.displayName) == [nil])
  }

  @Test func `the migration of a file from the previous version keeps the file's data`()
    async throws
  {
    try await withFiles { fixture in
      let queue = try DatabaseQueue(path: fixture.database)
      try MeetingsSchema.migrator.migrate(queue, upTo: "3 records")
      let rows = Self.before.replacing("'x'", with: "x'00'")
        .replacing("'0123456789abcdef'", with: "x'0123456789abcdef'")
      try await queue.write { try $0.execute(sql: rows) }
      try queue.close()
      try await check(try fixture.open())
    }
  }

  @Test func `the migration of a PostgreSQL database from the previous version keeps the data`()
    async throws
  {
    let server = try await PostgresServer.shared()
    let text = try server.makeDatabase()
    let first = PostgresSchema(
      name: PostgresSchema.meetings.name, versions: [PostgresSchema.meetings.versions[0]])
    try first.migrate(at: try PostgresAddress(text))
    try server.psql(
      "SET search_path TO carillon_meetings; \(Self.before)",
      in: PostgresServer.name(ofDatabaseAt: text))
    try await withFiles { fixture in
      try await check(
        try MeetingStore(in: .postgresql(try PostgresAddress(text)), tokens: fixture.tokens()))
    }
  }
}
