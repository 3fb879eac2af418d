import CarillonClient
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  /// Tests of suspended processes, and of the effect on attendees.
  struct StandstillTests {
    @Test func `a suspension of the gateway for five seconds drops no attendee`() async throws {
      try await withMeeting { meeting in
        let names = ["ada", "grace", "lin", "joan", "mary", "edith"]
        let all = try await meeting.joined(names)
        let gateway = meeting.installation.gateway.process
        try await gateway.pause()
        // The suspension must last this long, so the test sleeps.
        try await Task.sleep(for: .seconds(5))
        gateway.resume()
        for participant in all { try await participant.hears(.started(reconnecting: true)) }
        for participant in all { try await participant.knows(exactly: Set(names)) }
        try await meeting.sentinelIsLost(heardBy: all)
        for participant in all {
          for name in names {
            #expect(participant.heard.entries.count(.lost(name)) == 0, "\(name) was dropped")
          }
        }
      }
    }

    @Test func `attendees can mute while media is suspended`() async throws {
      try await withMeeting { meeting in
        let grace = try await meeting.joined("grace")
        let ada = try await meeting.installation.createAttendee("ada", in: meeting.record)
        try await withRawClient(meeting.installation) { client in
          try await client.start(ada)
          try await meeting.installation.media.pause()
          defer { meeting.installation.media.resume() }
          // A mute must not wait for media's deadline.
          for isMuted in [true, false, true] {
            #expect(try await client.setMuted(isMuted).status == nil)
          }
          try await grace.knowsMuted(exactly: ["ada"])
        }
      }
    }

    @Test func `an attendee whose unmute was refused stays muted after the operator's mute ends`()
      async throws
    {
      try await withMeeting { meeting in
        let installation = meeting.installation
        let grace = try await meeting.joined("grace")
        let mallory = try await installation.createAttendee("mallory", in: meeting.record)
        try await withRawClient(installation) { client in
          try await client.start(mallory)
          #expect(try await client.setMuted(true).status == nil)
          try await installation.mute(mallory)
          #expect(try await client.setMuted(false).status?.reason == .mutedByOperator)
          try await installation.mute(mallory, false)
          // The gateway has stored the mute, and reports the mute to the restarted presence.
          try await installation.presence.kill()
          try await installation.presence.start()
          try await installation.becomeReady()
          try await eventually("the new presence to know the mute") {
            let roster = try? await installation.roster(of: meeting.record)
            let entry = roster?.entries.first { $0.attendee?.externalUserID == "mallory" }
            return entry?.isMuted == true
          }
          #expect(!grace.heard.entries.contains(.unmuted("mallory")))
        }
      }
    }
  }
}
