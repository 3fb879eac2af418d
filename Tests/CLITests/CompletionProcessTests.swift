import Bus
import Foundation
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import CLI
@testable import LocalInstallation

/// Tests of the completions that a shell gets while a gateway runs.
@Suite(.timeLimit(.minutes(5))) struct CompletionProcessTests {
  private static let meeting = "11111111-1111-4111-8111-111111111111"

  @Test func `the completion offers the ids of meetings`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.listMeetings,
        reply: V1.ListMeetingsReply(
          meetings: [V1.MeetingRecord(meetingID: "m-1"), V1.MeetingRecord(meetingID: "m-2")]))
      let words = ["carillon", "roster", "--runtime-dir=\(operators.directory)/run"]
      #expect(await IDCompletions.meetings(words, 2, "") == ["m-1", "m-2"])
    }
  }

  @Test func `the completion offers the attendees of the meeting that the command line names`()
    async throws
  {
    try await withScriptedOperator { operators in
      let asked = operators.on(
        V1.OperatorMethods.listAttendees,
        reply: V1.ListAttendeesReply(attendees: [V1.AttendeeRecord(attendeeID: "a-1")]))
      let place = ["--runtime-dir", "\(operators.directory)/run"]
      let words = ["carillon", "attendee", "mute"] + place + [Self.meeting, ""]
      #expect(await IDCompletions.attendees(words, 6, "") == ["a-1"])
      #expect(
        asked.entries == [V1.ListAttendeesRequest(meetingID: Self.meeting, limit: 1000)])
    }
  }

  @Test func `the completion asks no gateway if the command line names no meeting`() async throws {
    try await withScriptedOperator { operators in
      let asked = operators.on(
        V1.OperatorMethods.listAttendees, reply: V1.ListAttendeesReply())
      let words = ["carillon", "attendee", "mute", "--runtime-dir", "\(operators.directory)/run"]
      #expect(await IDCompletions.attendees(words, 5, "") == [])
      #expect(asked.count == 0)
    }
  }

  @Test func `the completion offers nothing if the gateway refuses the request`() async throws {
    try await withScriptedOperator { operators in
      operators.on(V1.OperatorMethods.listMeetings) { _ in
        .failure(Status(.unavailable, "Presence is away."))
      }
      let words = ["carillon", "roster", "--runtime-dir", "\(operators.directory)/run"]
      #expect(await IDCompletions.meetings(words, 4, "") == [])
    }
  }

  @Test(
    arguments: [
      ([], nil), (["--runtime-dir", "/a"], "/a"), (["--runtime-dir=/a"], "/a"),
      (["--runtime-dir", "/a", "--runtime-dir", "/b"], "/b"), (["--runtime-dir="], ""),
      (["--runtime-directory", "/a"], nil), (["x", "--runtime-dir"], nil),
    ] as [([String], String?)])
  func `the completion uses the last directory on the command line`(
    words: [String], directory: String?
  ) {
    #expect(IDCompletions.runtimeDirectory(in: ["carillon"] + words) == directory)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `the completion script of a shell goes to standard output`(shell: String) async throws {
    try await withTemporaryDirectory { directory in
      let run = try await carillon(["completion", shell], in: directory)
      #expect(run.exit == .status(0))
      #expect(run.errors == [])
      #expect(run.output.count > 100)
    }
  }

  @Test func `an unknown shell is refused`() async throws {
    try await withTemporaryDirectory { directory in
      let run = try await carillon(["completion", "tcsh"], in: directory)
      #expect(run.exit == .status(64))
      #expect(run.errors.first?.contains("'tcsh'") == true)
    }
  }
}
