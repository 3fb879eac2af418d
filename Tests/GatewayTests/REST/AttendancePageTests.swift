import MeetingModel
import Testing

@testable import Gateway
@testable import Storage

@Suite struct AttendancePageTests {
  private let meeting = MeetingID.random()

  private func page(_ names: [String?]) throws -> AttendancePage {
    let attendee = try AttendeeID("a1a1a1a1-0000-4000-8000-000000000001")
    let record = MeetingRecord(
      meeting: meeting, externalMeetingID: try ExternalMeetingID("tea"), tenantIDs: [],
      createdAt: 0, unrecorded: 0, lastEvent: 1)
    let sessions = try names.enumerated().map { number, name in
      AttendanceSession(
        number: Int64(number), meeting: meeting, attendee: attendee,
        externalUserID: try ExternalUserID("guest-1"),
        displayName: try name.map { text throws(InvalidModelValue) in try DisplayName(text) },
        joinedAt: 0)
    }
    return AttendancePage(record: record, sessions: sessions, next: nil, now: 60_000)
  }

  /// Splits rows into cells as RFC 4180 requires, and returns the last cell of each row.
  private func cells(_ names: [String?]) throws -> [String] {
    let text = String(decoding: try page(names).csv.body, as: UTF8.self)
    let rows = text.unicodeScalars.split(separator: "\n").map(String.init)
    #expect(rows.first?.hasPrefix("MeetingId,AttendeeId,ExternalUserId,") == true)
    #expect(
      rows.first?.unicodeScalars.elementsEqual(
        "MeetingId,AttendeeId,ExternalUserId,JoinedAt,LeftAt,Reason,Minutes,DisplayName\r"
          .unicodeScalars) == true)
    return rows.dropFirst().map { row in
      let parts = row.unicodeScalars.split(
        separator: ",", maxSplits: 7, omittingEmptySubsequences: false)
      return String(String.UnicodeScalarView(parts[7].dropLast()))
    }
  }

  @Test func `a table keeps names in any writing system unchanged`() throws {
    let names = ["Łukasz", "花子", "Zo\u{EB}", "O'Neil", "محمد عبد الله", "👨‍👩‍👧‍👦"]
    #expect(try cells(names) == names)
    #expect(try cells([nil]) == [""])
  }

  @Test(arguments: [
    ("a,b", "\"a,b\""), ("say \"a\"", "\"say \"\"a\"\"\""), ("=1+1", "'=1+1"), ("@a", "'@a"),
    ("＝1+1", "'＝1+1"),
    // A combining mark forms one character with the sign before it.
    ("=\u{301}1", "'=\u{301}1"), ("a\"\u{301},b", "\"a\"\"\u{301},b\""),
  ])
  func `no name becomes a formula or breaks out of its cell`(name: String, cell: String) throws {
    let found = try #require(try cells([name]).first)
    #expect(found.unicodeScalars.elementsEqual(cell.unicodeScalars))
  }

  @Test func `a session has the display name of its attendee, or none`() throws {
    let body = try page(["花子", nil]).json.body
    let sessions = try JSONParser.parse(body)["Sessions"]
    guard case .array(let list) = sessions else {
      throw InvalidModelValue.forbiddenCombination(rule: "")
    }
    #expect(list.map { $0["DisplayName"] } == [.string("花子"), .null])
  }
}
