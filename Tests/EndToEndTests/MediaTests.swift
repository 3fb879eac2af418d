import CarillonClient
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  /// Tests of audio and video from client to client through all services.
  struct MediaTests {
    /// Runs `body` with Ada, whose voice is low, and Bea, whose voice is high, as soon as the two
    /// attendees hear each other.
    private func withTwo(
      _ body: (TestMeeting, MediaParticipant, MediaParticipant) async throws -> Void
    ) async throws {
      try await withMeeting { meeting in
        let ada = try await MediaParticipant("ada", in: meeting, saying: MediaParticipant.lowHertz)
        let bea = try await MediaParticipant("bea", in: meeting, saying: MediaParticipant.highHertz)
        try await ada.join()
        try await bea.join()
        try await ada.hears(low: false, high: true)
        try await bea.hears(low: true, high: false)
        try await body(meeting, ada, bea)
        for participant in [ada, bea] { try await participant.leave() }
      }
    }

    /// Waits until the two attendees hear each other again, and checks that the server did not
    /// report any attendee as gone.
    private func goesOn(_ ada: MediaParticipant, _ bea: MediaParticipant) async throws {
      let marks = (ada.sounds.entries.count, bea.sounds.entries.count)
      // The limit is three times the expected time.
      try await ada.hears(low: false, high: true, since: marks.0, within: .seconds(9))
      try await bea.hears(low: true, high: false, since: marks.1, within: .seconds(9))
      for participant in [ada, bea] {
        #expect(
          !participant.heard.entries.contains { $0.hasPrefix("leave") || $0.hasPrefix("lose") })
      }
    }

    @Test func `two attendees hear each other, and a muted attendee is silent`() async throws {
      try await withTwo { _, ada, bea in
        try await bea.hears("volume ada high")
        #expect(ada.audioVideo.realtimeLocalMute())
        try await bea.hears("volume ada muted")
        try await bea.hears(low: false, high: false, since: bea.sounds.entries.count)
        try await ada.hears(low: false, high: true, since: ada.sounds.entries.count)
        #expect(ada.audioVideo.realtimeLocalUnmute())
        try await bea.hears(low: true, high: false, since: bea.sounds.entries.count)
      }
    }

    @Test func `an endless tone is heard for ten seconds`() async throws {
      try await withMeeting { meeting in
        let ada = try await MediaParticipant(
          "ada", in: meeting, speaking: ToneSource(hertz: MediaParticipant.lowHertz))
        let bea = try await MediaParticipant("bea", in: meeting)
        for participant in [ada, bea] { try await participant.join() }
        try await bea.hears(low: true, high: false)
        let mark = bea.sounds.entries.count
        let sounds = try await bea.sounds.wait(for: "ten seconds", within: .seconds(25)) {
          $0.count >= mark + 500
        }.dropFirst(mark)
        // The test tolerates a few gaps in the sound, because a busy machine may send or play too
        // late.
        let holes = sounds.count { $0.low < MediaParticipant.Sound.heard }
        #expect(holes * 50 <= sounds.count, "\(holes) of \(sounds.count)")
        for participant in [ada, bea] { try await participant.leave() }
      }
    }

    @Test func `sound returns after media is killed`() async throws {
      try await withTwo { meeting, ada, bea in
        try await meeting.installation.media.kill()
        try await meeting.installation.media.start()
        try await goesOn(ada, bea)
      }
    }

    @Test
    func
      `after media restarts, a speaker is silent if another gateway removed the right to speak`()
      async throws
    {
      let both = Installation.Options(gateways: ["gateway-a", "gateway-b"])
      try await withMeeting(both) { meeting in
        let ada = try await MediaParticipant(
          "ada", in: meeting, saying: MediaParticipant.lowHertz, through: 1)
        let bea = try await MediaParticipant("bea", in: meeting, saying: MediaParticipant.highHertz)
        for participant in [ada, bea] { try await participant.join() }
        try await bea.hears(low: true, high: false)
        let answer = try await LocalHTTP.ask(
          "PUT",
          "/meetings/\(meeting.record.meetingID)/attendees/\(ada.attendeeID)/capabilities",
          at: .port(meeting.installation.gateways[0].restPort),
          json: #"""
            {"Capabilities":{"Audio":"Receive","Video":"SendReceive","Content":"SendReceive"}}
            """#)
        #expect(answer.status == 200)
        try await bea.hears(low: false, high: false, since: bea.sounds.entries.count)
        try await meeting.installation.media.kill()
        let mark = ada.sounds.entries.count
        try await meeting.installation.media.start()
        // When Ada hears Bea, media has admitted Ada again. Ada still sends, so Bea would hear her
        // if media did not check her rights.
        try await ada.hears(low: false, high: true, since: mark)
        let from = bea.sounds.entries.count
        let sounds = try await bea.sounds.wait(for: "two seconds of what bea hears") {
          $0.count >= from + 100
        }
        #expect(sounds.dropFirst(from).allSatisfy { $0.low < MediaParticipant.Sound.silent })
        for participant in [ada, bea] { try await participant.leave() }
      }
    }

    @Test func `sound returns after the gateway is killed`() async throws {
      try await withTwo { meeting, ada, bea in
        try await meeting.installation.gateway.process.kill()
        try await meeting.installation.gateway.process.start()
        for participant in [ada, bea] { try await participant.hears("restart") }
        try await goesOn(ada, bea)
      }
    }

    @Test func `an attendee who leaves during a call does not disturb others and can return`()
      async throws
    {
      try await withTwo { meeting, ada, bea in
        let camera = TestPatternSource(width: 320, height: 180)
        camera.start()
        defer { camera.stop() }
        ada.audioVideo.startLocalVideo(source: camera)
        bea.audioVideo.startRemoteVideo()
        let tile = try await bea.tiles(1)[0]
        try await bea.sees(5, of: tile)
        try await bea.leave()
        let lin = try await MediaParticipant("lin", in: meeting)
        try await lin.join()
        lin.audioVideo.startRemoteVideo()
        try await lin.sees(5, of: tile)
        try await lin.hears(low: true, high: false, since: lin.sounds.entries.count)
        try await lin.leave()
        try await bea.join()
        try await ada.hears(low: false, high: true, since: ada.sounds.entries.count)
        #expect(meeting.installation.media.isRunning)
      }
    }

    @Test func `a paused tile gets no more pictures, and a resumed tile gets pictures again`()
      async throws
    {
      try await withTwo { _, ada, bea in
        let camera = TestPatternSource(width: 320, height: 180)
        camera.start()
        defer { camera.stop() }
        ada.audioVideo.startLocalVideo(source: camera)
        bea.audioVideo.startRemoteVideo()
        let tile = try await bea.tiles(1)[0]
        let numbers = try await bea.sees(15, of: tile)
        #expect(numbers.count >= 15)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(numbers)")
        bea.audioVideo.pauseRemoteVideoTile(tileId: tile)
        try await bea.hears("pause \(tile)")
        // Wait until half a second passes in which sound arrives but no picture does.
        try await eventually("the pictures to stop") {
          let mark = bea.shown.entries.count
          let sounds = bea.sounds.entries.count
          try await bea.sounds.wait(for: "half a second") { $0.count >= sounds + 25 }
          return bea.shown.entries.count == mark
        }
        let mark = bea.shown.entries.count
        bea.audioVideo.resumeRemoteVideoTile(tileId: tile)
        let later = try await bea.sees(10, of: tile, since: mark)
        #expect(zip(later, later.dropFirst()).allSatisfy { $0 < $1 }, "\(later)")
      }
    }

    @Test func `a shared screen is visible beside the camera`() async throws {
      try await withTwo { _, ada, bea in
        let camera = TestPatternSource(width: 320, height: 180)
        let screen = TestPatternSource(width: 640, height: 360)
        for source in [camera, screen] { source.start() }
        defer { for source in [camera, screen] { source.stop() } }
        bea.audioVideo.startRemoteVideo()
        ada.audioVideo.startLocalVideo(source: camera)
        let content = ContentShareSource()
        content.videoSource = screen
        ada.audioVideo.startContentShare(source: content)
        try await ada.hears("share")
        let tiles = try await bea.tiles(2)
        for tile in tiles { try await bea.sees(10, of: tile) }
        ada.audioVideo.stopContentShare()
        try await ada.hears("share ended")
        let mark = bea.shown.entries.count
        let remaining = try await bea.shown.wait(for: "the camera") { $0.count >= mark + 20 }
          .suffix(10)
        #expect(Set(remaining.map(\.tile)).count == 1)
      }
    }
  }
}
