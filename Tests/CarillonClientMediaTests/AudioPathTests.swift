import TestSupport
import Testing
import Trials

@testable import CarillonClientCore
@testable import CarillonClientMedia

@Suite(.serialized, .timeLimit(.minutes(5)))
struct AudioPathTests {
  private let speech = WAVFile(samples: voice(seconds: 3), channels: 1, hertz: 48_000)

  @Test func `a speaker's sound reaches the listener`() async throws {
    try await withMedia(saying: WAVSource(speech)) { fixture in
      await fixture.media.setRoutes([MediaFixture.route])
      fixture.b.move(to: fixture.place(MediaFixture.ticketB))
      try await fixture.media.shown.wait(for: "b's ticket") { !$0.isEmpty }
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      try await fixture.heard.pieces.wait(for: "the sound") { $0.count > 170 }
      #expect(likeness(of: speech.samples, fixture.heard.samples) > 0.9)
      #expect(fixture.earB.qualities.entries == [])
    }
  }

  @Test func `a muted sender sends no sound`() async throws {
    try await withMedia(saying: ToneSource()) { fixture in
      await fixture.media.setRoutes([MediaFixture.route])
      fixture.a.setMuted(true)
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      fixture.b.move(to: fixture.place(MediaFixture.ticketB))
      try await fixture.earA.figures.wait(for: "a second") { !$0.isEmpty }
      #expect(fixture.media.packets.entries == [])
      fixture.a.setMuted(false)
      try await fixture.media.packets.wait(for: "packets") { $0.count > 20 }
      #expect(Set(fixture.media.packets.entries) == [11])
      fixture.a.setMuted(true)
      await fixture.a.ended()
      let count = fixture.media.packets.entries.count
      let second = fixture.earA.figures.entries.count
      try await fixture.earA.figures.wait(for: "a second") { $0.count > second }
      // Packets that were in the socket at the start of the mute may still arrive.
      #expect(fixture.media.packets.entries.count <= count + 2)
    }
  }

  @Test func `sound continues at a packet loss of five per cent, and the metrics report the loss`()
    async throws
  {
    try await withMedia(saying: WAVSource(speech, repeats: true)) { fixture in
      var impairment = Impairment(seed: 5)
      impairment.loss = 0.05
      impairment.duplicates = 0.01
      impairment.reordered = 0.02
      impairment.jitter = .milliseconds(10)
      await fixture.media.setRoutes([MediaFixture.route])
      await fixture.media.impair(impairment)
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      fixture.b.move(to: fixture.place(MediaFixture.ticketB))
      let figures = try await fixture.earB.figures.wait(for: "ten seconds") { $0.count > 10 }
      // In the first second, some or all of the sound is missing.
      let losses = figures.dropFirst().compactMap { $0[.audioReceivePacketLossPercent] }
      let spoilt = await fixture.media.spoilt
      let injected = 100 * Double(spoilt.lost) / Double(spoilt.seen)
      let measured = losses.reduce(0, +) / Double(losses.count)
      // On a busy machine, the client also counts late packets as lost.
      #expect(measured >= 0.8 * injected, "\(measured) of \(injected)")
      #expect(measured <= 1.2 * injected + 1.5, "\(measured) of \(injected)")
      let pieces = fixture.heard.pieces.entries
      #expect(pieces.count > 9 * 50)
      // The client conceals lost packets. Silence remains only if the machine was too busy to send
      // or to play. This silence may fill only a small part of the ten seconds.
      let spoken = pieces.drop { $0.allSatisfy { abs(Int($0)) < 30 } }
      let holes = spoken.count { $0.allSatisfy { $0 == 0 } }
      #expect(holes * 50 <= spoken.count, "\(holes) of \(spoken.count)")
    }
  }
}
