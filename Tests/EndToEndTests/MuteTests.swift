import CarillonClient
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  struct MuteTests {
    @Test func `all attendees, even the muted attendee, learn of a mute before the volume changes`()
      async throws
    {
      try await withMeeting { meeting in
        let all = try await meeting.joined(["ada", "grace", "lin"])
        try all[0].mute()
        for participant in all {
          try await participant.hears(.volume("ada", .muted))
          let heard = participant.heard.entries
          let mute = try #require(heard.firstIndex(of: .muted("ada")))
          let volume = try #require(heard.firstIndex(of: .volume("ada", .muted)))
          #expect(mute < volume)
        }
        try all[0].unmute()
        for participant in all {
          try await participant.hears(.unmuted("ada"))
          #expect(participant.heard.entries.count(.muted("ada")) == 1)
          #expect(participant.heard.entries.count(.unmuted("ada")) == 1)
          try participant.heardAllOnMain()
        }
      }
    }

    @Test func `an operator's mute remains until the operator lifts the mute`() async throws {
      try await withMeeting { meeting in
        let both = try await meeting.joined(["ada", "grace"])
        try await meeting.installation.mute(both[0].attendee)
        for participant in both { try await participant.hears(.muted("ada")) }
        #expect(!both[0].audioVideo.realtimeLocalUnmute())
        let late = try await meeting.joined("lin")
        try await late.hears(.muted("ada"))
        try await meeting.installation.mute(both[0].attendee, false)
        for participant in both + [late] { try await participant.hears(.unmuted("ada")) }
        try both[0].mute()
        try await both[1].hears(.volume("ada", .muted))
        try await both[1].knowsMuted(exactly: ["ada"])
        try both[0].unmute()
        try await both[1].knowsMuted(exactly: [])
      }
    }

    @Test func `a client cannot lift an operator's mute, even after rejoining`()
      async throws
    {
      try await withMeeting { meeting in
        let grace = try await meeting.joined("grace")
        let mallory = try await meeting.installation.createAttendee("mallory", in: meeting.record)
        try await meeting.installation.mute(mallory)
        for _ in 1...2 {
          try await withRawClient(meeting.installation) { client in
            try await client.start(mallory)
            let answer = try await client.setMuted(false)
            #expect(answer.status?.code == .failedPrecondition)
            #expect(answer.status?.reason == .mutedByOperator)
            _ = try await client.call(V1.AudioVideoFacadeMethods.stop, V1.StopRequest())
          }
          try await grace.hears(.left("mallory"))
        }
        #expect(grace.heard.entries.contains(.muted("mallory")))
        #expect(!grace.heard.entries.contains(.unmuted("mallory")))
        let roster = try await meeting.installation.roster(of: meeting.record)
        #expect(roster.entries.map(\.attendee?.externalUserID) == ["grace"])
      }
    }
  }
}
