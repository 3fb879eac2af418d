import CarillonClient
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  /// Tests of a server application that removes an attendee's capabilities while the attendee is in
  /// the meeting.
  struct CapabilityTests {
    /// Sets the capabilities for audio and video with
    /// `PUT /meetings/…/attendees/…/capabilities`.
    private func allow(
      _ attendee: String, audio: String = "SendReceive", video: String = "SendReceive",
      in meeting: TestMeeting
    ) async throws {
      let answer = try await LocalHTTP.ask(
        "PUT", "/meetings/\(meeting.record.meetingID)/attendees/\(attendee)/capabilities",
        at: .port(meeting.installation.gateway.restPort),
        json: #"{"Capabilities":{"Audio":"\#(audio)","Video":"\#(video)","Content":"Send"}}"#)
      #expect(answer.status == 200, "\(answer)")
    }

    /// Returns the number of audio packets that media accepted, and the number that media dropped
    /// because the sender has no right to send.
    private func audio(
      _ installation: Installation
    ) async throws -> (taken: Int, refused: Int) {
      let metrics = try await installation.mediaMetrics()
      return (
        metrics.sum("carillon_media_received_packets_total", ["kind": "audio"]),
        metrics.sum("carillon_media_dropped_packets_total", ["reason": "rights"])
      )
    }

    /// Runs `body` while ada speaks continuously, and grace and bob listen.
    private func withSpeech(
      _ body: (TestMeeting, _ ada: V1.AttendeeRecord, _ bob: V1.AttendeeRecord, [RawVoice])
        async throws -> Void
    ) async throws {
      try await withMeeting { meeting in
        let installation = meeting.installation
        let records = [
          try await installation.createAttendee("ada", in: meeting.record),
          try await installation.createAttendee("grace", in: meeting.record),
          try await installation.createAttendee("bob", in: meeting.record),
        ]
        func enter(_ rest: ArraySlice<V1.AttendeeRecord>, _ voices: [RawVoice]) async throws {
          guard let record = rest.first else {
            await voices[0].talk()
            for voice in voices.dropFirst() { try await voice.hears(since: 0) }
            return try await body(meeting, records[0], records[2], voices)
          }
          try await withRawClient(installation) { client in
            try await client.start(record)
            try await client.withVoice(in: installation.context) { voice in
              try await enter(rest.dropFirst(), voices + [voice])
            }
          }
        }
        try await enter(records[...], [])
      }
    }

    @Test func `an attendee who loses the right to speak is not heard after the API has answered`()
      async throws
    {
      try await withSpeech { meeting, ada, _, voices in
        let installation = meeting.installation
        let before = try await audio(installation)
        try await allow(ada.attendeeID, audio: "Receive", in: meeting)
        // Media drops the packets that ada sends from now on. Packets that ada sent earlier may
        // still arrive.
        let sent = await voices[0].sent
        try await eventually("half a second to be refused") {
          try await audio(installation).refused >= before.refused + 25
        }
        #expect(try await audio(installation).taken <= sent)
        let mark = voices[1].peaks.entries.count
        try await eventually("another half of one to be refused") {
          try await audio(installation).refused >= before.refused + 50
        }
        #expect(voices[1].peaks.entries.dropFirst(mark).allSatisfy { $0 < 0.05 })

        try await allow(ada.attendeeID, in: meeting)
        try await voices[1].hears(since: voices[1].peaks.entries.count)
      }
    }

    @Test func `an attendee who loses the right to listen gets no more audio packets`() async throws
    {
      try await withSpeech { meeting, _, bob, voices in
        let (grace, deaf) = (voices[1], voices[2])
        try await allow(bob.attendeeID, audio: "Send", in: meeting)
        // All clients share one thread. When grace has received newer packets, the thread has also
        // read bob's older packets.
        func listen() async throws {
          let count = grace.peaks.entries.count
          try await grace.peaks.wait(for: "half a second") { $0.count >= count + 25 }
        }
        try await listen()
        let mark = deaf.peaks.entries.count
        try await listen()
        #expect(deaf.peaks.entries.count == mark)

        try await allow(bob.attendeeID, in: meeting)
        try await deaf.hears(since: mark)
      }
    }

    @Test func `video stops when the right to send or to receive video is removed`() async throws {
      try await withMeeting { meeting in
        let ada = try await MediaParticipant("ada", in: meeting)
        let bea = try await MediaParticipant("bea", in: meeting)
        let lin = try await MediaParticipant("lin", in: meeting)
        for participant in [ada, bea, lin] { try await participant.join() }
        let camera = TestPatternSource(width: 320, height: 180)
        camera.start()
        defer { camera.stop() }
        ada.audioVideo.startLocalVideo(source: camera)
        for viewer in [bea, lin] { viewer.audioVideo.startRemoteVideo() }
        let tile = try await bea.tiles(1)[0]
        for viewer in [bea, lin] { try await viewer.sees(5, of: tile) }

        try await allow(lin.attendeeID, video: "Send", in: meeting)
        try await lin.hears("gone \(tile)")
        try await bea.sees(5, of: tile)
        #expect(!bea.heard.entries.contains("gone \(tile)"))

        try await allow(ada.attendeeID, video: "Receive", in: meeting)
        try await bea.hears("gone \(tile)")
        for participant in [ada, bea, lin] { try await participant.leave() }
      }
    }
  }
}
