import Bus
import ClientTestSupport
import Foundation
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import LocalInstallation

/// Tests of `carillon promote` as a process, with a gateway that answers as the test defines.
@Suite(.timeLimit(.minutes(5))) struct PromoteProcessTests {
  /// Answers requests about the primary `p-1` and its replica `m-1`, and creates an attendee in
  /// each meeting.
  ///
  /// - Returns: The requested attendees.
  private func serve(
    _ meeting: ScriptedMeeting, primary: String = "p-1"
  ) -> AwaitableEntryList<V1.CreateAttendeeRequest> {
    meeting.operators.on(
      V1.OperatorMethods.getMeeting,
      reply: V1.MeetingRecord(meetingID: "m-1", primaryMeetingID: primary))
    return meeting.operators.on(V1.OperatorMethods.createAttendee) { request in
      .success(
        V1.AttendeeRecord(
          meetingID: request.meetingID, attendeeID: "in-\(request.meetingID)",
          externalUserID: request.externalUserID, joinToken: "token of \(request.meetingID)"))
    }
  }

  private func json(_ event: String, _ status: Int, _ name: String) -> String {
    #"{"event": "\#(event)", "attendee_id": "in-p-1", "external_user_id": "gus", "#
      + #""session_status": \#(status), "session_status_name": "\#(name)"}"#
  }

  @Test
  func `carillon promote makes a replica's attendee a guest of the primary for a limited time`()
    async throws
  {
    try await withScriptedMeeting { meeting in
      let created = serve(meeting)
      let run = try await meeting.operators.run(
        "promote", "m-1", "--as", "eve", "--guest-user", "gus", "--for", "0.1", "--output", "json")
      #expect(
        created.entries.map { "\($0.externalUserID) in \($0.meetingID)" }
          == ["gus in p-1", "eve in m-1"])
      #expect(meeting.clients.starts.entries.map(\.attendeeID) == ["in-m-1"])
      let promotion = try #require(meeting.clients.promotions.entries.first)
      #expect((promotion.attendeeID, promotion.externalUserID) == ("in-p-1", "gus"))
      #expect(promotion.joinToken == "token of p-1")
      #expect(
        run.output == [
          #"{"event": "started"}"#, json("promoted", 0, "ok"), json("demoted", 0, "ok"),
        ])
      #expect(meeting.clients.demotions.count == 1)
      #expect(meeting.clients.stops.count == 1)
      #expect(run.errors == [])
      #expect(run.exit == .status(0))
    }
  }

  @Test func `carillon promote shows messages until a signal interrupts the command`() async throws
  {
    try await withScriptedMeeting { meeting in
      _ = serve(meeting)
      let running = try await meeting.start("promote", "m-1", "--topic", "chat")
      try await running.says("promoted  in-p-1  carillon-guest  0  ok")
      meeting.clients.say(.messages(1...1))
      try await running.says("message  Bob  chat  1/1")
      running.child.signal(SIGINT)
      let run = await running.end()
      #expect(run.exit == .status(0))
      #expect(meeting.clients.stops.count == 1)
    }
  }

  @Test func `carillon promote creates no attendee if an attendee is given`() async throws {
    try await withScriptedMeeting { meeting in
      let created = serve(meeting)
      let path = "\(meeting.operators.directory)/token"
      try "secret\n".write(toFile: path, atomically: true, encoding: .utf8)
      let run = try await meeting.operators.run(
        "promote", "m-1", "--guest", "g-9", "--guest-token-file", path, "--for", "0.1")
      #expect(run.exit == .status(0))
      #expect(created.entries.map(\.meetingID) == ["m-1"])
      let promotion = try #require(meeting.clients.promotions.entries.first)
      #expect((promotion.attendeeID, promotion.joinToken) == ("g-9", "secret"))
    }
  }

  @Test func `a refused promotion makes the command fail with an error that names the status`()
    async throws
  {
    try await withScriptedMeeting { meeting in
      _ = serve(meeting)
      meeting.clients.onPromote = { _ in
        .failure(Status(.resourceExhausted, "Full.", session: .audioCallAtCapacity))
      }
      let run = try await meeting.operators.run("promote", "m-1", "--for", "60")
      #expect(
        run.errors == [
          "carillon: audioCallAtCapacity: The server refused the promotion with status 64."
        ])
      #expect(run.exit == .status(1))
      #expect(meeting.clients.stops.count == 1)
    }
  }

  @Test func `a promotion that the server ends is a failure`() async throws {
    try await withScriptedMeeting { meeting in
      _ = serve(meeting)
      let running = try await meeting.start("promote", "m-1")
      try await running.says("promoted")
      meeting.clients.say(
        .demotedFromPrimaryMeeting(
          V1.DemotedFromPrimaryMeeting(
            status: V1.Status(
              Status(.notFound, "Deleted.", session: .audioAuthenticationRejected)),
            attendee: V1.AttendeeInfo(attendeeID: "in-p-1", externalUserID: "gus"))))
      let run = await running.end()
      #expect(
        run.errors == [
          "carillon: audioAuthenticationRejected: The server ended the promotion with status 63."
        ])
      #expect(run.exit == .status(1))
    }
  }

  @Test func `a meeting without a primary is refused before any attendee is created`() async throws
  {
    try await withScriptedMeeting { meeting in
      let created = serve(meeting, primary: "")
      let run = try await meeting.operators.run("promote", "m-1")
      #expect(run.errors.first?.contains("FAILED_PRECONDITION: m-1 is not a replica") == true)
      #expect(run.exit == .status(1))
      #expect(created.count == 0 && meeting.clients.starts.count == 0)
    }
  }
}
