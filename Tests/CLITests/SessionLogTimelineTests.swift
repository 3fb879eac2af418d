import MeetingModel
import Testing

@testable import CLI
@testable import Output

/// Tests that an attendee's timeline contains the right log lines of the services.
@Suite struct SessionLogTimelineTests {
  private static let ada = "aaaaaaaa…"
  private static let attendee: AttendeeID? = try? AttendeeID("aaaaaaaa-0000-4000-8000-000000000001")
  private static let meeting: MeetingID? = try? MeetingID("11111111-0000-4000-8000-000000000001")

  /// Returns a log line that a service writes this number of milliseconds after the start.
  private static func line(_ ms: Int, _ step: String, _ fields: [String: String] = [:]) -> String {
    let time = "2026-01-31T12:00:00.\(String(1_000 + ms).dropFirst())Z"
    let known = [("time", time), ("level", "debug"), ("logger", "test"), ("message", step)]
    let members = (known + fields.sorted { $0.key < $1.key }).map { #""\#($0)":"\#($1)""# }
    return "{\(members.joined(separator: ","))}"
  }

  private func timeline(
    of lines: [String], in meeting: MeetingID? = nil, limit: Int = 100
  ) throws -> SessionLogTimeline {
    var timeline = SessionLogTimeline(
      of: try #require(Self.attendee), in: meeting, limit: limit)
    for line in lines { timeline.take(try #require(ServiceLogLine(line))) }
    return timeline
  }

  @Test
  func `log lines with only the session id are found before and after lines with the attendee id`()
    throws
  {
    let timeline = try timeline(of: [
      Self.line(3, "Media", ["session.id": "s1…"]), Self.line(4, "Other", ["session.id": "s2…"]),
      Self.line(1, "Gateway", ["session.id": "s1…", "attendee.id": Self.ada, "trace.id": "t1"]),
      Self.line(2, "Presence", ["session.id": "s1…", "trace.id": "t1"]),
    ])
    #expect(timeline.entries.map(\.message) == ["Gateway", "Presence", "Media"])
  }

  @Test func `a request without a session is found by its trace`() throws {
    let timeline = try timeline(of: [
      Self.line(1, "Refused", ["attendee.id": Self.ada, "trace.id": "t1"]),
      Self.line(2, "Store", ["trace.id": "t1"]), Self.line(3, "Others", ["trace.id": "t2"]),
    ])
    #expect(timeline.entries.map(\.message) == ["Refused", "Store"])
  }

  /// A client may use one trace id for several sessions. The timeline of an attendee contains no
  /// session of another attendee.
  @Test func `a trace does not include the sessions of other attendees`() throws {
    let timeline = try timeline(of: [
      Self.line(1, "Mine", ["session.id": "s1…", "attendee.id": Self.ada, "trace.id": "t"]),
      Self.line(2, "Theirs", ["session.id": "s2…", "attendee.id": "bbbbbbbb…", "trace.id": "t"]),
    ])
    #expect(timeline.entries.map(\.message) == ["Mine"])
  }

  @Test func `the timeline of one meeting omits the lines of other meetings`() throws {
    let lines = ["11111111…", "22222222…"].enumerated().map { number, meeting in
      Self.line(
        number, meeting,
        ["session.id": "s\(number)", "attendee.id": Self.ada, "meeting.id": meeting])
    }
    #expect(try timeline(of: lines).entries.count == 2)
    #expect(
      try timeline(of: lines, in: Self.meeting).entries.map(\.message) == ["11111111…"])
  }

  @Test func `a session whose id is known in advance is recognized from its first log line`() throws
  {
    var timeline = SessionLogTimeline(of: try #require(Self.attendee), limit: 1)
    let naming = try #require(
      ServiceLogLine(Self.line(9, "Gateway", ["session.id": "s", "attendee.id": Self.ada])))
    timeline.learn(from: naming)
    timeline.take(try #require(ServiceLogLine(Self.line(1, "Presence", ["session.id": "s"]))))
    #expect(timeline.entries.map(\.message) == ["Presence"])
  }

  @Test func `if there are too many log lines, the newest are kept and the lost lines are counted`()
    throws
  {
    let timeline = try timeline(
      of: (0..<500).map { Self.line($0, "\($0)", ["attendee.id": Self.ada]) }
        + (0..<500).map { Self.line($0, "x", ["session.id": "\($0)"]) }, limit: 100)
    #expect(timeline.entries.last?.message == "499")
    #expect((100...125).contains(timeline.entries.count))
    #expect(timeline.lost >= 2 * (500 - 125))
  }

  // MARK: Lines

  @Test(arguments: ["", "presence    | ", "gateway-1  | "])
  func `a prefix before a log line is ignored`(prefix: String) throws {
    let entry = try #require(
      ServiceLogLine(prefix + Self.line(1, "A session began", ["service.instance": "gateway-a"])))
    #expect(entry.message == "A session began")
    #expect(entry.instance == "gateway-a")
    #expect(entry.time == "2026-01-31T12:00:00.001Z")
  }

  @Test(arguments: [
    "", "{", "{}", "ready rest=http://127.0.0.1:1", #"{"time":"now"}"#, #"{"message":"m"}"#,
    #"{"time":1,"message":"m"}"#, #"{"time":"now","message":"m"} more"#, "\u{0}{\u{0}}",
  ])
  func `lines in another format are not log entries`(line: String) {
    #expect(ServiceLogLine(line) == nil)
  }

  @Test func `log fields that are not text are ignored`() throws {
    let entry = try #require(
      ServiceLogLine(#"{"time":"t","message":"m","session.id":["s"],"attendee.id":{},"count":3}"#))
    #expect(!entry.isOfSomebody)
  }

  @Test func `a log line cannot control the reader's terminal`() throws {
    let entry = try #require(
      ServiceLogLine(Self.line(1, #"One\nTwo\u001b[2J"#, ["error": #"\u001b]0;x\u0007"#])))
    #expect(!entry.record.text.unicodeScalars.contains("\u{1B}"))
    #expect(!OutputRecord.table([entry.record]).unicodeScalars.contains("\u{1B}"))
  }
}
