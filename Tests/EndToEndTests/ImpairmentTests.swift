import CarillonClient
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  /// Tests of lost, late, duplicated and reordered packets between the client library and media.
  struct ImpairmentTests {
    private func impairment(seed: UInt64) -> Impairment {
      var impairment = Impairment(seed: seed)
      impairment.loss = 0.05
      impairment.jitter = .milliseconds(10)
      impairment.reordered = 0.02
      impairment.duplicates = 0.01
      return impairment
    }

    /// Expects that the measured loss differs by at most 20 % from the actual loss.
    private func expect(_ measured: Double, isNear lost: Int, _ what: String) {
      print("\(what): \(measured) lost by what was measured, \(lost) by what was dropped.")
      #expect((0.8 * Double(lost)...1.2 * Double(lost)).contains(measured), "\(what)")
    }

    @Test func `a bad uplink causes no gaps in the sound, and the metrics report the loss`()
      async throws
    {
      try await RelayedCall.run { call in
        let marks = (call.bea.sounds.entries.count, call.bea.shown.entries.count)
        try await call.lose(40, of: RelayedCall.opus, .up, impairment(seed: 11))
        call.expectNoHoles(since: marks.0)
        await call.expectPicturesGoOn(since: marks.1, .up)
        // Media requested lost packets of Ada's video, or key frames.
        let requests = await call.relay.requests(.down)
        #expect(requests.packets + requests.keyFrames > 0)
        let heard = call.figures.told(to: call.bea.attendeeID)
        #expect(heard.contains { $0.audioReceiveConcealedPackets > 0 })

        let dropped = await call.relay.tally(.up, payloadType: RelayedCall.opus).lost
        let told = call.figures.told(to: call.ada.attendeeID).compactMap(\.audioSend)
        expect(told.map(\.lost).reduce(0, +), isNear: dropped, "Ada's audio, by media")
        // Ada's client shows the figures that media reported.
        let shown = call.ada.figures.entries.compactMap { $0[.audioSendPacketLossPercent] }
        #expect(shown.max() ?? 0 > 0)
        #expect(Set(shown).isSubset(of: told.map { Double($0.lossPpm) / 10_000 }))
      }
    }

    @Test func `a bad downlink causes no gaps in the sound, and the metrics report the loss`()
      async throws
    {
      try await RelayedCall.run { call in
        let marks = (call.bea.sounds.entries.count, call.bea.shown.entries.count)
        let seconds = call.bea.figures.entries.count
        let before = await call.relay.tally(.down, payloadType: RelayedCall.opus).packets
        try await call.lose(40, of: RelayedCall.opus, .down, impairment(seed: 12))
        call.expectNoHoles(since: marks.0)
        await call.expectPicturesGoOn(since: marks.1, .down)
        let requests = await call.relay.requests(.up)
        #expect(requests.packets + requests.keyFrames > 0)

        let tally = await call.relay.tally(.down, payloadType: RelayedCall.opus)
        let shown = call.bea.figures.entries.dropFirst(seconds).compactMap {
          $0[.audioReceivePacketLossPercent]
        }
        // The mix has a constant packet rate, so the number of packets is the same in each second.
        let packets = Double(tally.packets - before) / Double(max(shown.count, 1))
        let lost = shown.map { $0 / 100 * packets }.reduce(0, +)
        expect(lost, isNear: tally.lost, "Bea's mix, by her program")
      }
    }

    @Test func `the receiver's metrics include video packets lost on the downlink`() async throws {
      try await RelayedCall.run { call in
        let seconds = call.bea.figures.entries.count
        let before = await call.relay.tally(.down, payloadType: RelayedCall.vp8).packets
        var impairment = impairment(seed: 14)
        impairment.losesRepeats = true
        impairment.duplicates = 0
        try await call.lose(20, of: RelayedCall.vp8, .down, impairment)
        let tally = await call.relay.tally(.down, payloadType: RelayedCall.vp8)
        let shown = call.bea.figures.entries.dropFirst(seconds).compactMap {
          $0[.videoReceivePacketLossPercent]
        }
        let packets = Double(tally.packets - before) / Double(max(shown.count, 1))
        let lost = shown.map { $0 / 100 * packets }.reduce(0, +)
        expect(lost, isNear: tally.lostForGood, "Ada's video, by Bea's program")
      }
    }

    @Test func `a link with heavy loss is reported as poor and later as recovered`() async throws {
      try await RelayedCall.run { call in
        var impairment = Impairment(seed: 15)
        impairment.loss = 0.3
        await call.relay.impair(.down, impairment)
        try await call.bea.hears("poor")
        await call.relay.impair(.down, nil)
        try await call.bea.hears("recovered")
        #expect(call.bea.heard.entries.filter { $0 == "poor" || $0 == "recovered" }.count == 2)
        #expect(!call.bea.heard.entries.contains("drop"))
      }
    }

    @Test func `key frames replace packets that cannot be repeated`() async throws {
      try await RelayedCall.run { call in
        let mark = call.bea.shown.entries.count
        var impairment = impairment(seed: 13)
        impairment.losesRepeats = true
        // By the definition of loss in RFC 3550, a duplicated packet counts as two received
        // packets.
        impairment.duplicates = 0
        try await call.lose(20, of: RelayedCall.vp8, .up, impairment)
        await call.expectPicturesGoOn(since: mark, .up)
        let requests = await call.relay.requests(.down)
        #expect(requests.keyFrames > 0)
        let dropped = await call.relay.tally(.up, payloadType: RelayedCall.vp8).lostForGood
        let told = call.figures.told(to: call.ada.attendeeID).compactMap(\.videoSend)
        expect(told.map(\.lost).reduce(0, +), isNear: dropped, "Ada's video, by media")
      }
    }
  }
}
