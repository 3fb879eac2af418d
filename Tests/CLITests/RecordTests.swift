import Testing
import Wire

@testable import CLI

@Suite struct RecordTests {
  @Test func `a meeting has stable fields`() {
    let meeting = V1.MeetingRecord(
      meetingID: "m-1", externalMeetingID: "standup", mediaRegion: "here", createdAtMs: 12,
      maxAttendees: 250, attendees: 3, present: 2, gatewayURL: "ipc:///g")
    #expect(
      Record(meeting).json == """
        {"meeting_id": "m-1", "external_meeting_id": "standup", "media_region": "here", \
        "primary_meeting_id": "", "created_at_ms": 12, "max_attendees": 250, "attendees": 3, \
        "present": 2, "gateway_url": "ipc:///g"}
        """)
  }

  @Test func `an attendee has stable fields and never its token`() {
    let attendee = V1.AttendeeRecord(
      meetingID: "m-1", attendeeID: "a-1", externalUserID: "ada", joinToken: "secret",
      capabilities: V1.Capabilities(audio: .send, video: .none, content: .receive),
      isMutedByOperator: true, isPresent: false, createdAtMs: 12)
    #expect(
      Record(attendee).json == """
        {"meeting_id": "m-1", "attendee_id": "a-1", "external_user_id": "ada", "audio": "Send", \
        "video": "None", "content": "Receive", "is_muted_by_operator": true, "is_present": false, \
        "created_at_ms": 12}
        """)
  }

  @Test func `a line of a roster has stable fields`() {
    let entry = V1.RosterEntry(
      attendee: V1.AttendeeInfo(attendeeID: "a-1", externalUserID: "ada"), isMuted: true,
      volume: .muted, signal: .high, joinedAtMs: 7)
    #expect(
      Record(entry).json == """
        {"attendee_id": "a-1", "external_user_id": "ada", "is_muted": true, \
        "is_muted_by_operator": false, "volume": "muted", "signal": "high", "joined_at_ms": 7}
        """)
  }

  @Test func `an instance of a service has stable fields`() {
    let instance = V1.ServiceInstance(
      service: "presence", instance: "presence-a", term: 3, isLive: true, processID: 99,
      startedAtMs: 5)
    #expect(
      Record(instance).json == """
        {"service": "presence", "instance": "presence-a", "term": 3, "is_live": true, \
        "process_id": 99, "started_at_ms": 5}
        """)
  }

  @Test func `limits name every limit`() {
    let names = Record(V1.Limits()).fields.map(\.name)
    #expect(names.count == 15)
    #expect(names.first == "max_attendees")
    #expect(names.last == "resume_seconds")
  }

  @Test func `a record is shown as aligned lines, several as a table`() {
    let ada: Record = ["id": "a-1", "is_muted": true, "note": ""]
    let grace: Record = ["id": "a-12", "is_muted": false, "note": "late"]
    #expect(ada.text == "id        a-1\nis_muted  yes\nnote      -")
    #expect(
      Record.table([ada, grace]) == """
        id    is_muted  note
        a-1   yes       -
        a-12  no        late
        """)
    #expect(Record.table([]) == "")
  }

  @Test(
    arguments: [
      ("plain", "\"plain\""), ("a\"b\\c", #""a\"b\\c""#), ("line\nbreak\t", #""line\nbreak\t""#),
      ("\u{01}\u{7F}\u{2028}", #""\u0001\u007f\u2028""#), ("naïve 🎈", "\"naïve 🎈\""),
    ])
  func `a text never ends its line`(text: String, json: String) {
    #expect(JSONValue.text(text).json == json)
  }

  @Test func `a list and an object nest`() {
    let value: JSONValue = .list([.null, 1, true, .object(["a": .list([])])])
    #expect(value.json == #"[null, 1, true, {"a": []}]"#)
  }

  @Test func `a field is replaced where it stands and removed by nil`() {
    var record: Record = ["a": 1, "b": 2]
    record["a"] = 3
    record["c"] = 4
    record["b"] = nil
    #expect(record.json == #"{"a": 3, "c": 4}"#)
  }
}
