import Bus
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import LocalInstallation

/// Tests of `carillon meeting` as a process, with a gateway that answers as the test defines.
@Suite(.timeLimit(.minutes(5))) struct MeetingCommandTests {
  private static let standup = V1.MeetingRecord(
    meetingID: "m-1", externalMeetingID: "standup", mediaRegion: "here", createdAtMs: 12,
    maxAttendees: 250, attendees: 3, present: 2, gatewayURL: "ipc:///g")

  @Test func `the command carillon meeting create sends the values of its flags to the gateway`()
    async throws
  {
    try await withScriptedOperator { operators in
      let created = operators.on(V1.OperatorMethods.createMeeting, reply: Self.standup)
      let run = try await operators.run(
        "meeting", "create", "--external-id", "standup", "--region", "here", "--max-attendees",
        "12", "--primary", "m-0")
      #expect(
        created.entries == [
          V1.CreateMeetingRequest(
            externalMeetingID: "standup", mediaRegion: "here", maxAttendees: 12,
            primaryMeetingID: "m-0")
        ])
      #expect(
        run.output == [
          "meeting_id           m-1", "external_meeting_id  standup", "media_region         here",
          "primary_meeting_id   -", "created_at_ms        12", "max_attendees        250",
          "attendees            3", "present              2", "is_locked            no",
          "gateway_url          ipc:///g",
        ])
      #expect(run.errors == [])
      #expect(run.exit == .status(0))
    }
  }

  @Test
  func `the command carillon meeting create without flags leaves all values to the installation`()
    async throws
  {
    try await withScriptedOperator { operators in
      let created = operators.on(V1.OperatorMethods.createMeeting, reply: Self.standup)
      let run = try await operators.run("meeting", "create", "--output", "json")
      #expect(created.entries == [V1.CreateMeetingRequest()])
      #expect(
        run.output == [
          #"{"meeting_id": "m-1", "external_meeting_id": "standup", "media_region": "here", "#
            + #""primary_meeting_id": "", "created_at_ms": 12, "max_attendees": 250, "#
            + #""attendees": 3, "present": 2, "is_locked": false, "gateway_url": "ipc:///g"}"#
        ])
    }
  }

  @Test func `the command carillon meeting show prints the meeting with the given id`() async throws
  {
    try await withScriptedOperator { operators in
      let asked = operators.on(V1.OperatorMethods.getMeeting, reply: Self.standup)
      let run = try await operators.run("meeting", "show", "m-1")
      #expect(asked.entries == [V1.GetMeetingRequest(meetingID: "m-1")])
      #expect(run.output.first == "meeting_id           m-1")
      #expect(run.exit == .status(0))
    }
  }

  @Test func `meetings are requested page by page`() async throws {
    try await withScriptedOperator { operators in
      let asked = operators.on(V1.OperatorMethods.listMeetings) { request in
        let number = request.afterMeetingID.isEmpty ? 1 : 2
        return .success(
          V1.ListMeetingsReply(
            meetings: [V1.MeetingRecord(meetingID: "m-\(number)", maxAttendees: 5)],
            hasMore: number == 1))
      }
      let run = try await operators.run("meeting", "list")
      #expect(
        asked.entries == [
          V1.ListMeetingsRequest(limit: 1000),
          V1.ListMeetingsRequest(afterMeetingID: "m-1", limit: 1000),
        ])
      #expect(run.output.count == 3)
      #expect(run.output[0].hasPrefix("meeting_id  external_meeting_id  media_region"))
      #expect(run.output[1].hasPrefix("m-1         -"))
      #expect(run.output[2].hasPrefix("m-2         -"))
    }
  }

  @Test func `a JSON list is printed with one object per line`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.listMeetings,
        reply: V1.ListMeetingsReply(
          meetings: [V1.MeetingRecord(meetingID: "m-1"), V1.MeetingRecord(meetingID: "m-2")]))
      let run = try await operators.run("meeting", "list", "--output", "json")
      #expect(
        run.output.map { $0.prefix(21) } == [#"{"meeting_id": "m-1","#, #"{"meeting_id": "m-2","#])
    }
  }

  @Test(arguments: ["text", "json"])
  func `nothing is printed if there is no meeting`(format: String) async throws {
    try await withScriptedOperator { operators in
      operators.on(V1.OperatorMethods.listMeetings, reply: V1.ListMeetingsReply())
      let run = try await operators.run("meeting", "list", "--output", format)
      #expect(run.output == [] && run.errors == [])
      #expect(run.exit == .status(0))
    }
  }

  @Test func `the listing of meetings ends if a page is empty although more meetings exist`()
    async throws
  {
    try await withScriptedOperator { operators in
      let asked = operators.on(
        V1.OperatorMethods.listMeetings, reply: V1.ListMeetingsReply(hasMore: true))
      let run = try await operators.run("meeting", "list")
      #expect(asked.count == 1)
      #expect(run.exit == .status(0))
    }
  }

  @Test func `a deleted meeting is reported as deleted`() async throws {
    try await withScriptedOperator { operators in
      let asked = operators.on(
        V1.OperatorMethods.deleteMeeting, reply: V1.DeleteMeetingReply())
      let text = try await operators.run("meeting", "delete", "m-1")
      #expect(text.output == ["meeting_id  m-1", "is_deleted  yes"])
      let json = try await operators.run("meeting", "delete", "m-1", "--output", "json")
      #expect(json.output == [#"{"meeting_id": "m-1", "is_deleted": true}"#])
      #expect(asked.entries.map(\.meetingID) == ["m-1", "m-1"])
    }
  }

  // MARK: Messages

  private static func message(_ sequence: UInt64, _ data: [UInt8]) -> V1.DataMessage {
    V1.DataMessage(
      sequence: sequence, topic: "chat", data: data,
      sender: V1.AttendeeInfo(attendeeID: "a-1", externalUserID: "ada"),
      timestampMs: 1_790_000_000_123, lifetimeMs: 60_000, messageID: "id-\(sequence)",
      recipients: ["a-2"])
  }

  @Test func `the messages of a meeting are printed as a table with one line for each message`()
    async throws
  {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.listMessages,
        reply: V1.ListMessagesReply(
          messages: [
            Self.message(7, Array("two\nlines".utf8)), Self.message(8, [0xFF, 0]),
          ], throughSequence: 8))
      let run = try await operators.run("meeting", "messages", "m-1")
      #expect(
        run.output == [
          "sequence  time                      sender  topic  data",
          #"7         2026-09-21T14:13:20.123Z  ada     chat   two\nlines"#,
          "8         2026-09-21T14:13:20.123Z  ada     chat   base64:/wA=",
        ])
    }
  }

  @Test func `the messages in JSON have all fields`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.listMessages,
        reply: V1.ListMessagesReply(messages: [Self.message(7, Array("hi".utf8))]))
      let run = try await operators.run("meeting", "messages", "m-1", "--output", "json")
      #expect(
        run.output == [
          #"{"topic": "chat", "text": "hi", "base64": "aGk=", "sender_attendee_id": "a-1", "#
            + #""sender_external_user_id": "ada", "sequence": 7, "message_id": "id-7", "#
            + #""timestamp_ms": 1790000000123, "lifetime_ms": 60000, "recipients": ["a-2"]}"#
        ])
    }
  }

  @Test func `each page of messages starts where the previous page ended`() async throws {
    try await withScriptedOperator { operators in
      let asked = operators.on(V1.OperatorMethods.listMessages) { request in
        let next = request.afterSequence + 10
        return .success(
          V1.ListMessagesReply(
            messages: [Self.message(next, [0x61])], throughSequence: next, hasMore: next < 30))
      }
      let run = try await operators.run("meeting", "messages", "m-1")
      #expect(asked.entries.map(\.afterSequence) == [0, 10, 20])
      #expect(run.output.dropFirst().map { $0.prefix(2) } == ["10", "20", "30"])
    }
  }

  @Test func `the listing of messages ends if the position in the log does not advance`()
    async throws
  {
    try await withScriptedOperator { operators in
      let asked = operators.on(
        V1.OperatorMethods.listMessages,
        reply: V1.ListMessagesReply(throughSequence: 0, hasMore: true))
      let run = try await operators.run("meeting", "messages", "m-1")
      #expect(asked.count == 1)
      #expect(run.output == [])
    }
  }
}
