import MeetingModel
import RTP
import TestSupport
import Testing
import Trials
import Wire

@testable import Media

extension MediaServices {
  /// Tests of audio through the service, with real sockets, in real time, and with scripted
  /// substitutes for the other services.
  struct MediaAudioServiceTests {
    /// The least amplitude of an audible tone. The clients send tones with 6,000.
    static let loud = 2_500.0

    /// A tone with a lower amplitude counts as inaudible. Another tone may cause such an amplitude.
    static let silent = 150.0

    /// Runs a test in which Ada sends 440 Hz, Edsger sends 1,000 Hz, and Grace listens. First
    /// checks that Grace hears both tones.
    private func withTwoTalkers(
      _ body:
        @Sendable (MediaServiceFixture, MediaClient, MediaClient, MediaClient) async throws ->
        Void
    ) async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        let edsger = try await fixture.join(.edsger)
        try await ada.speak(.tone(440))
        try await edsger.speak(.tone(1_000))
        try await hears(grace, [440, 1_000])
        try await body(fixture, ada, grace, edsger)
      }
    }

    /// Waits until a client hears these tones and none of the test's other tones.
    private func hears(_ client: MediaClient, _ tones: Set<Double>) async throws {
      try await client.sounds.wait(for: "\(tones)") { sounds in
        guard sounds.count >= 8 else { return false }
        let last = Array(sounds.suffix(8))
        return [440.0, 1_000].allSatisfy { tone in
          tones.contains(tone)
            ? last.amplitude(of: tone) > Self.loud : last.amplitude(of: tone) < Self.silent
        }
      }
    }

    /// Waits until the last change has taken effect, and until the fade of 5 ms after the change
    /// has ended. Returns the sounds that the client receives next.
    private func heardNext(_ client: MediaClient, _ count: Int = 8) async throws
      -> [MediaClient.Sound]
    {
      try await client.show()
      let mark = client.sounds.entries.count + 2
      let sounds = try await client.sounds.wait(for: "more sounds") { $0.count >= mark + count }
      return Array(sounds.dropFirst(mark))
    }

    @Test func `the other attendees hear a voice without distortion`() async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        let edsger = try await fixture.join(.edsger)
        let voice = AudioSignal.voice()
        try await ada.speak(voice)
        let heard = try await grace.sounds.wait(for: "a second") { $0.count >= 50 }
        let samples = heard.flatMap(\.samples)
        #expect(AudioMeasure.likeness(voice.samples(0..<48_000), samples) > 0.9)
        // All listeners get the same mix.
        let other = try await edsger.sounds.wait(for: "a second") { $0.count >= 50 }
        #expect(other.prefix(50).map(\.samples) == heard.prefix(50).map(\.samples))
        #expect(ada.sounds.entries.isEmpty)
      }
    }

    @Test func `each mix is one stream with a packet every 20 ms`() async throws {
      try await withTwoTalkers { _, _, grace, _ in
        let packets = try await grace.sounds.wait(for: "packets") { $0.count >= 30 }.map(\.packet)
        #expect(Set(packets.map(\.ssrc)).count == 1)
        for (left, right) in zip(packets, packets.dropFirst()) {
          #expect(right.sequence == left.sequence.advanced(by: 1))
          #expect(right.timestamp == left.timestamp &+ 960)
        }
      }
    }

    @Test func `a speaker hears the other speakers but no echo of itself`() async throws {
      try await withTwoTalkers { _, ada, _, edsger in
        try await hears(ada, [1_000])
        try await hears(edsger, [440])
      }
    }

    @Test(arguments: [
      V1.SetSendRightsRequest.Change.isMuted(true), .isMutedByOperator(true),
      .capabilities(.all(audio: .receive)), .capabilities(.all(audio: .none)),
    ])
    func `after media confirms that an attendee may not speak, the attendee is not heard`(
      change: V1.SetSendRightsRequest.Change
    ) async throws {
      try await withTwoTalkers { fixture, _, grace, _ in
        #expect(try await fixture.gateway.set(change, of: .ada).isKnown)
        let sounds = try await heardNext(grace)
        #expect(sounds.amplitude(of: 440) < Self.silent)
        #expect(sounds.amplitude(of: 1_000) > Self.loud)
        #expect(fixture.dropped(.rights) > 0)
      }
    }

    @Test func `an attendee is heard unless the attendee or the operator has muted the microphone`()
      async throws
    {
      try await withTwoTalkers { fixture, _, grace, _ in
        try await fixture.gateway.set(.isMuted(true), of: .ada)
        try await fixture.gateway.set(.isMutedByOperator(true), of: .ada)
        try await fixture.gateway.set(.isMuted(false), of: .ada)
        #expect(try await heardNext(grace).amplitude(of: 440) < Self.silent)
        try await fixture.gateway.set(.isMutedByOperator(false), of: .ada)
        try await hears(grace, [440, 1_000])
      }
    }

    @Test func `a client that may not hear or does not listen gets no audio`() async throws {
      try await withTwoTalkers { fixture, ada, grace, edsger in
        try await fixture.gateway.set(.capabilities(.all(audio: .send)), of: .grace)
        try await grace.show()
        let mark = grace.sounds.entries.count
        let deaf = try await fixture.join(Guest(number: 4)) { $0.audio = .send }
        let mute = try await fixture.join(Guest(number: 5)) { $0.audio = .none }
        let count = ada.sounds.entries.count
        try await ada.sounds.wait(for: "others' sounds") { $0.count > count + 10 }
        for client in [grace, deaf, mute] { try await client.show() }
        #expect(grace.sounds.entries.count == mark)
        #expect(deaf.sounds.entries.isEmpty)
        #expect(mute.sounds.entries.isEmpty)
        let statistics = try await fixture.gateway.statistics()
        #expect(statistics.listeners == 2)
        _ = edsger
      }
    }

    @Test func `everybody but the sharer hears a content share's sound`() async throws {
      try await withTwoTalkers { fixture, ada, grace, edsger in
        let share = try await fixture.join(.ada.content)
        try await share.speak(.tone(2_500))
        for listener in [grace, edsger] {
          try await listener.sounds.wait(for: "the share's sound") {
            Array($0.suffix(8)).amplitude(of: 2_500) > Self.loud
          }
        }
        try await hears(ada, [1_000])
        #expect(try await heardNext(ada).amplitude(of: 2_500) < Self.silent)
        #expect(share.sounds.entries.isEmpty)
        // The sharer returns with a new session.
        let again = try await fixture.join(.ada)
        try await hears(again, [1_000])
        #expect(try await heardNext(again).amplitude(of: 2_500) < Self.silent)
      }
    }

    @Test func `an operator's mute or a missing capability silences an attendee's content share`()
      async throws
    {
      try await withTwoTalkers { fixture, _, grace, _ in
        let share = try await fixture.join(.ada.content)
        try await share.speak(.tone(2_500))
        let hearsShare = { (isHeard: Bool) in
          try await grace.sounds.wait(for: isHeard ? "the share" : "silence of the share") {
            let amplitude = Array($0.suffix(8)).amplitude(of: 2_500)
            return $0.count >= 8 && (isHeard ? amplitude > Self.loud : amplitude < Self.silent)
          }
        }
        _ = try await hearsShare(true)
        // The attendee's own mute applies to the voice alone.
        try await fixture.gateway.set(.isMuted(true), of: .ada)
        try await hears(grace, [1_000])
        _ = try await hearsShare(true)
        for (forbids, permits) in [
          (V1.SetSendRightsRequest.Change.isMutedByOperator(true), .isMutedByOperator(false)),
          (.capabilities(.all(content: .receive)), .capabilities(.all())),
          (.capabilities(.all(content: .none)), .capabilities(.all(audio: .receive))),
        ] as [(V1.SetSendRightsRequest.Change, V1.SetSendRightsRequest.Change)] {
          #expect(try await fixture.gateway.set(forbids, of: .ada).isKnown)
          #expect(try await heardNext(grace).amplitude(of: 2_500) < Self.silent)
          try await fixture.gateway.set(permits, of: .ada)
          _ = try await hearsShare(true)
        }
      }
    }

    @Test func `an attendee of a replica always hears others but is heard only when promoted`()
      async throws
    {
      try await withTwoTalkers { fixture, _, grace, _ in
        let replica = "00000000-0000-4000-8000-00000000bbbb"
        let guest = Guest(number: 4)
        let narrow = V1.Capabilities(audio: .sendReceive, video: .receive, content: .none)
        let watcher = try await fixture.join(guest) {
          $0.replicaMeetingID = replica
          $0.rights = V1.SendRights(capabilities: narrow)
        }
        try await watcher.speak(.tone(2_500))
        try await hears(watcher, [440, 1_000])
        #expect(try await heardNext(grace).amplitude(of: 2_500) < Self.silent)
        #expect(fixture.owners.levels.entries.allSatisfy { $0.participantID != guest.id })

        let primary = Guest(number: 5)
        let session = V1.GatewaySession(
          meetingID: Guest.meeting, participantID: primary.id, externalUserID: "promoted",
          capabilities: .all())
        _ = try await fixture.gateway.call(
          V1.MediaMethods.promote,
          V1.PromoteRequest(
            sessionID: guest.session, replicaMeetingID: replica, primary: session,
            gateway: fixture.gateway.name))
        try await grace.sounds.wait(for: "the promoted voice") {
          Array($0.suffix(8)).amplitude(of: 2_500) > Self.loud
        }
        try await fixture.owners.levels.wait(for: "the promoted one's volume") {
          $0.contains { $0.participantID == primary.id && $0.volume == .high }
        }
        let demote = V1.DemoteRequest(
          primaryMeetingID: Guest.meeting, sessionID: guest.session, gateway: fixture.gateway.name)
        _ = try await fixture.gateway.call(V1.MediaMethods.demote, demote)
        _ = try await fixture.gateway.call(V1.MediaMethods.demote, demote)
        #expect(try await heardNext(grace).amplitude(of: 2_500) < Self.silent)
        #expect(fixture.owners.levels.entries.allSatisfy { $0.participantID != guest.id })
        let rights = try await fixture.gateway.statistics(of: guest)?.rights
        #expect(rights?.capabilities == narrow)
      }
    }

    @Test func `noise suppression can be switched during a stream, and statistics show the state`()
      async throws
    {
      try await withTwoTalkers { fixture, ada, grace, _ in
        func focus(_ isEnabled: Bool) async throws -> Bool {
          try await fixture.gateway.call(
            V1.MediaMethods.setVoiceFocus,
            V1.SetVoiceFocusRequest(
              meetingID: Guest.meeting, sessionID: Guest.ada.session, isEnabled: isEnabled)
          ).isEnabled
        }
        #expect(try await focus(true))
        #expect(try await fixture.gateway.statistics(of: .ada)?.isVoiceFocusEnabled == true)
        // The suppressor treats a tone that never ends as noise.
        try await grace.sounds.wait(for: "less of the tone") {
          Array($0.suffix(8)).amplitude(of: 440) < Self.loud / 2
        }
        #expect(try await !focus(false))
        try await hears(grace, [440, 1_000])
        _ = ada
      }
    }
  }
}
