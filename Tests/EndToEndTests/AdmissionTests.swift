import CarillonClient
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  struct AdmissionTests {
    private static let forTwo = Installation.Options(presenceFlags: ["--max-attendees", "2"])

    @Test func `wrong credentials of every kind get the same answer`() async throws {
      try await withMeeting { meeting in
        let good = try await meeting.installation.createAttendee("ada", in: meeting.record)
        var wrongToken = good
        wrongToken.joinToken = String(good.joinToken.reversed())
        var unknownAttendee = good
        unknownAttendee.attendeeID = "a1a1a1a1-0000-4000-8000-000000000001"
        let elsewhere = try await meeting.installation.createMeeting()
        let foreign = try await meeting.installation.createAttendee("lin", in: elsewhere)
        for attendee in [wrongToken, unknownAttendee, foreign] {
          #expect(try await meeting.participant(attendee).refusal() == .audioAuthenticationRejected)
        }
        var unknown = meeting.record
        unknown.meetingID = "5f0c6c5e-2a0b-4a51-9d3c-0e6f1a2b3c4d"
        let lost = TestMeeting(installation: meeting.installation, record: unknown)
        #expect(try await lost.participant(good).refusal() == .audioAuthenticationRejected)
        let metrics = try await meeting.installation.metrics()
        #expect(
          metrics.sum(
            "carillon_gateway_sessions_refused_total", ["status": "unauthenticated"]) == 4)
        try await meeting.participant(good).join()
      }
    }

    @Test func `a full meeting refuses a client until another attendee leaves`() async throws {
      try await withMeeting(Self.forTwo) { meeting in
        let seated = try await meeting.joined(["ada", "grace"])
        let lin = try await meeting.participant("lin")
        #expect(try await lin.refusal() == .audioCallAtCapacity)
        let metrics = try await meeting.installation.presenceMetrics()
        #expect(
          metrics.sum("carillon_presence_refusals_total", ["reason": "meeting_full"]) == 1)
        try await seated[0].leave()
        try await seated[1].hears(.left("ada"))
        try await lin.join()
        try await seated[1].knows(exactly: ["grace", "lin"])
      }
    }

    @Test func `a content share joins the roster without counting as an attendee`() async throws {
      try await withMeeting(Self.forTwo) { meeting in
        let both = try await meeting.joined(["ada", "grace"])
        try await withRawClient(meeting.installation) { content in
          try await content.start(both[0].attendee, modality: "#content")
          for participant in both { try await participant.hears(.joined("ada#content")) }
          _ = try await content.call(V1.AudioVideoFacadeMethods.stop, V1.StopRequest())
          for participant in both { try await participant.hears(.left("ada#content")) }
        }
      }
    }

    @Test func `deleting an attendee ends the attendee's session and updates all rosters`()
      async throws
    {
      try await withMeeting { meeting in
        let both = try await meeting.joined(["ada", "grace"])
        try await meeting.installation.deleteAttendee(both[0].attendee)
        try await both[0].hears(.stopped(.audioServerHungup))
        try await both[1].hears(.left("ada"))
        let again = meeting.participant(both[0].attendee)
        #expect(try await again.refusal() == .audioAuthenticationRejected)
        #expect(both[1].heard.entries.filter(\.isDeparture) == [.left("ada")])
      }
    }

    @Test func `an empty meeting ends, and a late client learns that the meeting has ended`()
      async throws
    {
      try await withMeeting(.init(gatewayFlags: ["--idle-meeting-seconds", "1"])) { meeting in
        let ada = try await meeting.participant("ada")
        try await eventually("the meeting to end") {
          let request = V1.GetMeetingRequest(meetingID: meeting.record.meetingID)
          let answer = try? await meeting.installation.ask(
            V1.OperatorMethods.getMeeting, request)
          return answer == nil
        }
        #expect(try await ada.refusal() == .audioCallEnded)
      }
    }
  }
}
