import Bus
import ClientTestSupport
import Foundation
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import LocalInstallation

/// Tests of `carillon send` as a process, with a gateway that answers as the test defines.
@Suite(.timeLimit(.minutes(5))) struct SendProcessTests {
  private static let ben = "22222222-2222-4222-8222-222222222222"

  @Test func `carillon send creates an attendee who sends the message and leaves the meeting`()
    async throws
  {
    try await withScriptedMeeting { meeting in
      let created = meeting.operators.on(
        V1.OperatorMethods.createAttendee,
        reply: V1.AttendeeRecord(
          meetingID: "m-1", attendeeID: "a-1", externalUserID: "ada", joinToken: "secret"))
      let run = try await meeting.operators.run(
        "send", "m-1", "hello", "--topic", "chat", "--as", "ada", "--lifetime-ms", "5000", "--to",
        Self.ben)
      #expect(
        created.entries == [V1.CreateAttendeeRequest(meetingID: "m-1", externalUserID: "ada")])
      let sent = try #require(meeting.clients.sent.entries.first)
      #expect(sent.text == "hello")
      #expect(sent.request.topic == "chat")
      #expect(sent.request.lifetimeMs == 5000)
      #expect(sent.request.recipients == [Self.ben])
      #expect(meeting.clients.stops.entries == [1])
      #expect(
        run.output == [
          "meeting_id    m-1", "topic         chat", "outcome       accepted", "sequence      1",
          "message_id    m1", "timestamp_ms  1001",
        ])
      #expect(run.exit == .status(0))
    }
  }

  @Test func `an attendee without a name is named after the command`() async throws {
    try await withScriptedMeeting { meeting in
      let created = meeting.operators.on(
        V1.OperatorMethods.createAttendee,
        reply: V1.AttendeeRecord(attendeeID: "a-1", externalUserID: "x", joinToken: "secret"))
      _ = try await meeting.operators.run("send", "m-1", "hello", "--topic", "chat")
      #expect(created.entries.map(\.externalUserID) == ["carillon-send"])
    }
  }

  @Test
  func `carillon send joins as the attendee that --attendee names, with the token in --token-file`()
    async throws
  {
    try await withScriptedMeeting { meeting in
      let path = "\(meeting.operators.directory)/token"
      try "secret\n".write(toFile: path, atomically: true, encoding: .utf8)
      let run = try await meeting.operators.run(
        "send", "m-1", "hello", "--topic", "chat", "--attendee", "a-9", "--token-file", path)
      #expect(run.exit == .status(0))
      let start = try #require(meeting.clients.starts.entries.first)
      #expect((start.meetingID, start.attendeeID, start.joinToken) == ("m-1", "a-9", "secret"))
    }
  }

  @Test(arguments: [("", "is empty."), (nil, "cannot be read; name a readable file")])
  func `a token file without a token is refused before the attendee joins`(
    text: String?, message: String
  ) async throws {
    try await withScriptedMeeting { meeting in
      let path = "\(meeting.operators.directory)/token"
      try text?.write(toFile: path, atomically: true, encoding: .utf8)
      let run = try await meeting.operators.run(
        "send", "m-1", "hello", "--topic", "chat", "--attendee", "a-9", "--token-file", path)
      #expect(run.exit == .status(1))
      #expect(
        run.errors.first?.hasPrefix("carillon: FAILED_PRECONDITION: \(path) \(message)") == true)
      #expect(meeting.clients.starts.count == 0)
    }
  }

  @Test func `for a throttled message, the command fails and prints when to try again`()
    async throws
  {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      meeting.clients.onSend = { _, _ in .throttle(afterMs: 250) }
      let run = try await meeting.operators.run(
        "send", "m-1", "hello", "--topic", "chat", "--output", "json")
      #expect(
        run.output == [
          #"{"meeting_id": "m-1", "topic": "chat", "outcome": "throttled", "retry_after_ms": 250}"#
        ])
      #expect(run.errors == [])
      #expect(run.exit == .status(1))
    }
  }

  @Test func `a refused message is reported in the service's words`() async throws {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      meeting.clients.onSend = { _, _ in .fail(Status(.invalidArgument, "b-2 is not here.")) }
      let run = try await meeting.operators.run("send", "m-1", "hello", "--topic", "chat")
      #expect(run.output == [])
      #expect(run.errors.count == 1)
      #expect(run.errors.first?.contains("b-2 is not here.") == true, "\(run.errors)")
      #expect(run.exit == .status(1))
    }
  }

  @Test func `carillon send sends the bytes of a file unchanged`() async throws {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let path = "\(meeting.operators.directory)/bytes"
      try Data([0xFF, 0, 0x0A]).write(to: URL(filePath: path))
      let run = try await meeting.operators.run(
        "send", "m-1", "--topic", "chat", "--file", path)
      #expect(run.exit == .status(0))
      #expect(meeting.clients.sent.entries.map(\.request.data) == [[0xFF, 0, 0x0A]])
    }
  }

  @Test(arguments: [
    (["--json", "{"], "--json must be a JSON object or array; got {."),
    (["--file", "/nowhere"], "/nowhere cannot be read; name a readable file."),
    ([String(repeating: "x", count: 2049)], "A message has at most 2048 bytes; this one has more."),
  ])
  func `an invalid message creates no attendee`(words: [String], message: String) async throws {
    try await withScriptedMeeting { meeting in
      let created = meeting.operators.on(
        V1.OperatorMethods.createAttendee, reply: V1.AttendeeRecord())
      let run = try await carillon(
        ["send", "m-1", "--topic", "chat"] + words, in: meeting.operators.directory)
      #expect(run.exit == .status(1))
      #expect(run.errors.first?.hasSuffix(message) == true, "\(run.errors)")
      #expect(created.count == 0)
    }
  }

  @Test func `if a join token is refused, the command fails with the name of the session status`()
    async throws
  {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      meeting.clients.refusesStart = { _, _ in
        Status(
          .unauthenticated, "The join token is not valid.", session: .audioAuthenticationRejected)
      }
      let run = try await meeting.operators.run(
        "send", "m-1", "hello", "--topic", "chat", "--output", "json")
      #expect(run.exit == .status(1))
      #expect(run.output == [])
      #expect(run.errors.first?.contains(#""error": "audioAuthenticationRejected""#) == true)
      #expect(meeting.clients.sent.count == 0)
    }
  }
}
