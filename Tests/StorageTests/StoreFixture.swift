import Foundation
import MeetingModel
import PostgreSQL
import TestSupport

@testable import Storage

/// A new directory for a database and a key, deleted after the test. With PostgreSQL, the fixture
/// also has a new database.
struct StoreFixture: Sendable {
  let directory: URL
  let location: StoreLocation

  var database: String { directory.appending(path: "meetings.sqlite").path }
  var keyFile: String { directory.appending(path: "token.key").path }

  func tokens() throws -> JoinTokenIssuer { try JoinTokenIssuer(keyFile: keyFile) }

  /// Opens the same store again, as another gateway would.
  func open(
    _ limits: InstallationLimits = InstallationLimits(),
    keeping retention: RecordRetention = RecordRetention()
  ) throws -> MeetingStore {
    try MeetingStore(in: location, tokens: tokens(), limits: limits, keeping: retention)
  }

  func mode(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}

/// Runs `body` once with SQLite files and once with a PostgreSQL database, because both engines
/// must behave the same.
func withFixture(_ body: (StoreFixture) async throws -> Void) async throws {
  try await withFiles(body)
  let address = try PostgresAddress(try await PostgresServer.shared().makeDatabase())
  try await withFiles { fixture in
    try await body(
      StoreFixture(directory: fixture.directory, location: .postgresql(address)))
  }
}

/// Runs `body` with SQLite files only.
func withFiles(_ body: (StoreFixture) async throws -> Void) async throws {
  let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: directory) }
  try await body(StoreFixture(directory: directory, location: .directory(directory.path)))
}

func withStore(
  _ limits: InstallationLimits = InstallationLimits(), _ body: (MeetingStore) async throws -> Void
) async throws {
  try await withFixture { fixture in try await body(fixture.open(limits)) }
}

func meetingRequest(
  _ token: String = "token-1", fingerprint: String = "", features: MeetingFeatures = .standard,
  primary: MeetingID? = nil, attendees: [String] = []
) throws -> MeetingRequest {
  MeetingRequest(
    token: try ClientRequestToken(token),
    fingerprint: RequestFingerprint(of: Array((token + fingerprint).utf8)),
    externalID: try ExternalMeetingID("standup"), region: try MediaRegion("eu-central-1"),
    features: features, primaryID: primary, placementBase: "http://127.0.0.1:8080",
    attendees: try attendees.map { try attendeeRequest($0) })
}

func attendeeRequest(
  _ name: String, _ capabilities: AttendeeCapabilities? = nil
) throws -> AttendeeRequest {
  AttendeeRequest(externalUserID: try ExternalUserID(name), capabilities: capabilities)
}

extension MeetingStore {
  func makeMeeting(
    _ token: String = "token-1", features: MeetingFeatures = .standard, primary: MeetingID? = nil,
    at now: Int64 = 1_000
  ) async throws -> MeetingID {
    let request = try meetingRequest(token, features: features, primary: primary)
    return try await createMeeting(request, at: now).meeting.id
  }

  func makeAttendee(_ name: String, in meeting: MeetingID) async throws -> IssuedAttendee {
    try await createAttendee(attendeeRequest(name), in: meeting, at: 2_000)
  }

  func names(in meeting: MeetingID) async throws -> [String] {
    try await listAttendees(in: meeting, limit: 1_000).elements
      .map(\.attendee.externalUserID.text)
  }
}
