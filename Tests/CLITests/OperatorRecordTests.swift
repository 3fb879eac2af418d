import Testing
import Wire

@testable import CLI
@testable import Output

@Suite struct OperatorRecordTests {
  @Test func `a meeting is printed with stable fields`() {
    let meeting = V1.MeetingRecord(
      meetingID: "m-1", externalMeetingID: "standup", mediaRegion: "here", createdAtMs: 12,
      maxAttendees: 250, attendees: 3, present: 2, gatewayURL: "ipc:///g")
    #expect(
      OutputRecord(meeting).json == """
        {"meeting_id": "m-1", "external_meeting_id": "standup", "media_region": "here", \
        "primary_meeting_id": "", "created_at_ms": 12, "max_attendees": 250, "attendees": 3, \
        "present": 2, "is_locked": false, "gateway_url": "ipc:///g"}
        """)
  }

  @Test func `an attendee is printed with stable fields and never with the token`() {
    let attendee = V1.AttendeeRecord(
      meetingID: "m-1", attendeeID: "a-1", externalUserID: "ada", joinToken: "secret",
      capabilities: V1.Capabilities(audio: .send, video: .none, content: .receive),
      isMutedByOperator: true, isPresent: false, createdAtMs: 12)
    #expect(
      OutputRecord(attendee).json == """
        {"meeting_id": "m-1", "attendee_id": "a-1", "external_user_id": "ada", "audio": "Send", \
        "video": "None", "content": "Receive", "is_muted_by_operator": true, "is_barred": false, \
        "is_present": false, "created_at_ms": 12, "display_name": ""}
        """)
  }

  @Test func `a roster entry is printed with stable fields`() {
    let entry = V1.RosterEntry(
      attendee: V1.AttendeeInfo(attendeeID: "a-1", externalUserID: "ada"), isMuted: true,
      volume: .muted, signal: .high, joinedAtMs: 7)
    #expect(
      OutputRecord(entry).json == """
        {"attendee_id": "a-1", "external_user_id": "ada", "is_muted": true, \
        "is_muted_by_operator": false, "volume": "muted", "signal": "high", "joined_at_ms": 7, \
        "display_name": ""}
        """)
  }

  @Test func `an instance of a service is printed with stable fields`() {
    let instance = V1.ServiceInstance(
      service: "presence", instance: "presence-a", term: 3, isLive: true, processID: 99,
      startedAtMs: 5)
    #expect(
      OutputRecord(instance).json == """
        {"service": "presence", "instance": "presence-a", "term": 3, "is_live": true, \
        "process_id": 99, "started_at_ms": 5, "is_draining": false, "meetings": 0}
        """)
  }

  @Test func `the limits list contains every limit`() {
    let names = OutputRecord(V1.Limits()).fields.map(\.name)
    #expect(names.count == 17)
    #expect(names.first == "max_attendees")
    #expect(names.last == "request_burst")
  }
}
