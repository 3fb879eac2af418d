import GRDB
import MeetingModel
import PostgreSQL
import TestSupport
import Testing

@testable import Storage

/// Tests of stores that an earlier version wrote.
@Suite(.timeLimit(.minutes(5))) struct MigrationTests {
  /// The tenants of each meeting: one tenant, two tenants, the same tenant twice, and none.
  private static let tenants = [["acme"], ["acme", "other"], ["other", "other"], []]

  /// The rows of the previous version, in which tokens belonged to the whole installation.
  private var rows: [String] {
    Self.tenants.enumerated().flatMap { number, tenants in
      let id = "0d1e2f3a-0000-4000-8000-00000000000\(number)"
      let meeting = """
        INSERT INTO meeting (id, request_token, request_fingerprint, external_id, region,
          echo_reduction, video, content, max_attendees, placement_base, created_at,
          last_occupied_at)
        VALUES ('\(id)', 'token-\(number)', '', 'standup', 'eu-central-1', 0, 'HD', 'FHD', 250,
          'http://127.0.0.1:8080', 1, 1)
        """
      return [meeting]
        + tenants.enumerated().map { position, tenant in
          "INSERT INTO meeting_tenant VALUES ('\(id)', \(position), '\(tenant)')"
        }
    }
  }

  /// Checks that the store finds every meeting by its token and tenants.
  private func checkTokens(of store: MeetingStore) async throws {
    #expect(try await store.listMeetings(limit: 9).elements.count == Self.tenants.count)
    for (number, tenants) in Self.tenants.enumerated() {
      var request = try meetingRequest("token-\(number)")
      request.tenantIDs = try tenants.map { try TenantID($0) }
      // The fingerprint in the old rows does not match any request.
      await #expect(throws: StorageError.requestTokenConflict(request.token)) {
        try await store.createMeeting(request, at: 2)
      }
    }
    var request = try meetingRequest("token-0")
    request.tenantIDs = [try TenantID("other")]
    #expect(try await store.createMeeting(request, at: 3).isNew)
  }

  @Test func `a migration to the schema with request tokens per tenant keeps the meetings`()
    async throws
  {
    try await withFiles { fixture in
      let old = try DatabasePool(path: fixture.database)
      try MeetingsSchema.migrator.migrate(old, upTo: "3 records")
      let rows = rows.map { $0.replacing(", '', 'standup'", with: ", x'', 'standup'") }
      try await old.write { database in for row in rows { try database.execute(sql: row) } }
      try old.close()
      try await checkTokens(of: fixture.open())
    }
  }

  @Test
  func `the migration of a PostgreSQL database to request tokens per tenant keeps the meetings`()
    async throws
  {
    let address = try PostgresAddress(try await PostgresServer.shared().makeDatabase())
    let old = PostgresSchema(
      name: PostgresSchema.meetings.name,
      versions: Array(PostgresSchema.meetings.versions.prefix(1)))
    try old.migrate(at: address)
    let connection = try PostgresConnection.open(
      to: address, timeout: .seconds(5), applicationName: "test")
    try old.prepare(connection)
    for row in rows { try connection.run(script: row) }
    try await withFiles { fixture in
      let store = try MeetingStore(in: .postgresql(address), tokens: fixture.tokens())
      try await checkTokens(of: store)
    }
  }
}
