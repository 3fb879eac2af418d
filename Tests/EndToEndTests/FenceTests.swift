import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  /// Tests of media after a suspension. Media must apply missed changes before media forwards
  /// packets again.
  struct FenceTests {
    /// Returns the number of clients' audio packets that media accepted, and the number that media
    /// dropped because of the fence or because of missing rights. Repeated tickets do not count,
    /// because media drops them for another reason.
    private func audio(_ installation: Installation) async throws -> (taken: Int, dropped: Int) {
      let metrics = try await installation.mediaMetrics()
      let taken = metrics.sum("carillon_media_received_packets_total", ["kind": "audio"])
      let dropped = ["fence", "rights"].map {
        metrics.sum("carillon_media_dropped_packets_total", ["reason": $0])
      }
      return (taken, dropped.reduce(0, +))
    }

    /// Sends audio until the listener hears the audio.
    private func speak(_ voice: RawVoice, heardBy listener: RawVoice) async throws {
      let mark = listener.peaks.entries.count
      try await eventually("ada to be heard") {
        try await voice.say(5)
        return listener.peaks.entries.dropFirst(mark).contains { $0 > 0.05 }
      }
    }

    /// Waits until the mix has delivered all audio that the talker sent before this call.
    private func fallsSilent(_ listener: RawVoice) async throws {
      try await eventually("the mix to end") {
        let mark = listener.peaks.entries.count
        // During this time, media would send ten packets. No event shows that packets are absent,
        // so the test sleeps.
        try await Task.sleep(for: .milliseconds(200))
        return listener.peaks.entries.count == mark
      }
    }

    @Test func `an attendee muted while media is suspended stays silent when media resumes`()
      async throws
    {
      try await withMeeting { meeting in
        let installation = meeting.installation
        let ada = try await installation.createAttendee("ada", in: meeting.record)
        let grace = try await installation.createAttendee("grace", in: meeting.record)
        try await withRawClient(installation) { speaker in
          try await speaker.start(ada)
          try await withRawClient(installation) { other in
            try await other.start(grace)
            try await speaker.withVoice(in: installation.context) { voice in
              try await other.withVoice(in: installation.context) { listener in
                try await speak(voice, heardBy: listener)
                let sent = await voice.sent
                try await eventually("all to be taken") {
                  let audio = try await audio(installation)
                  return audio.taken + audio.dropped >= sent
                }
                try await fallsSilent(listener)
                let before = try await audio(installation)

                try await installation.media.pause()
                // During the suspension of media, this audio and the later mute wait in the sockets
                // of media.
                try await voice.say(25)
                #expect(try await speaker.setMuted(true).status == nil)
                let mark = listener.peaks.entries.count
                try await voice.say(25)
                installation.media.resume()
                try await eventually("all to be thrown away") {
                  let audio = try await audio(installation)
                  return audio.taken + audio.dropped >= before.taken + before.dropped + 50
                }
                let after = try await audio(installation)
                #expect(after.taken == before.taken)
                let metrics = try await installation.mediaMetrics()
                #expect(metrics.sum("carillon_media_fences_total") > 0)

                // Media forwards packets again, and later mutes and unmutes apply.
                #expect(try await speaker.setMuted(false).status == nil)
                try await listener.tickets.wait(for: "a ticket") { !$0.isEmpty }
                let heard = listener.peaks.entries.dropFirst(mark)
                #expect(heard.isEmpty, "She was heard: \(heard)")
                try await speak(voice, heardBy: listener)
              }
            }
          }
        }
      }
    }

    @Test func `a mute that media missed for ten seconds applies when media resumes`()
      async throws
    {
      try await withMeeting { meeting in
        let installation = meeting.installation
        let ada = try await installation.createAttendee("ada", in: meeting.record)
        try await MediaFigures.run(of: meeting) { figures in
          try await withRawClient(installation) { speaker in
            try await speaker.start(ada)
            try await eventually("media to know ada") {
              try await figures.statistics(of: ada.attendeeID) != nil
            }
            try await installation.media.pause()
            #expect(try await speaker.setMuted(true).status == nil)
            // During this time, connections time out, and the services open new connections.
            try await Task.sleep(for: .seconds(10))
            #expect(try await speaker.setMuted(false).status == nil)
            #expect(try await speaker.setMuted(true).status == nil)
            installation.media.resume()
            try await eventually("media to know the mute") {
              try await figures.statistics(of: ada.attendeeID)?.rights?.isMuted == true
            }
          }
        }
      }
    }
  }
}
