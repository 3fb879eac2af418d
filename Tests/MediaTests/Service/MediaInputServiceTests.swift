import RTP
import TestSupport
import Testing
import Trials
import Wire

@testable import Media

extension MediaServices {
  /// Tests of invalid packets. Media counts such packets. Such packets harm no other client.
  struct MediaInputServiceTests {
    /// Runs a test in which Edsger sends invalid packets. Grace must hear and see Ada before,
    /// during and after the test.
    private func withBadClient(
      _ body: @Sendable (MediaServiceFixture, MediaClient) async throws -> Void
    ) async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        let edsger = try await fixture.join(.edsger)
        await fixture.owners.publish(ScriptedOwners.camera(11), by: .ada)
        await fixture.owners.publish(
          ScriptedOwners.camera(31, tile: 3, track: 9_003), by: .edsger)
        await fixture.owners.forward([1: 1, 3: 1], to: .grace)
        try await ada.speak(.tone(440))
        var random = SeededGenerator(seed: 1)
        await ada.film(VideoPublisher(ssrcs: [11], using: &random))
        try await isWell(grace)
        try await body(fixture, edsger)
        try await isWell(grace)
      }
    }

    /// Checks that sound and pictures arrive in order.
    private func isWell(_ grace: MediaClient) async throws {
      try await grace.show()
      let (sounds, videos) = (grace.sounds.entries.count, grace.videos.entries.count)
      // On a busy machine, this process may send late for some time.
      _ = try await grace.sounds.wait(for: "the voice") {
        $0.count >= sounds + 15
          && Array($0.suffix(8)).amplitude(of: 440) > MediaAudioServiceTests.loud
      }
      let seen = try await grace.videos.wait(for: "pictures") { $0.count >= videos + 20 }
        .dropFirst(videos).filter { RTPNumbers($0)?.ssrc == 9_001 }
      let numbers = seen.compactMap { FrameLabel(packet: $0)?.index }
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }

    private func header(
      _ ssrc: UInt32 = Guest.edsger.ssrc, type: UInt8 = PayloadTypes.opus, sequence: UInt16 = 0,
      timestamp: UInt32 = 0
    ) -> [UInt8] {
      var packet: [UInt8] = []
      OutgoingRTPHeader(
        payloadType: type, sequence: SequenceNumber(sequence), timestamp: timestamp, ssrc: ssrc
      ).begin(in: &packet)
      return packet
    }

    @Test func `malformed packets are counted and dropped`() async throws {
      try await withBadClient { fixture, edsger in
        var cut = header()
        cut[0] |= 0x0F  // Fifteen contributing sources are missing.
        var extended = header()
        extended[0] |= 0x10  // The extension would be longer than the packet.
        extended += [0xBE, 0xDE, 0xFF, 0xFF, 1, 2, 3, 4]
        var padded = header() + [1, 2, 3]
        padded[0] |= 0x20  // The padding would be longer than the packet.
        padded[padded.count - 1] = 255
        let bad: [[UInt8]] = [
          [], [0x80], [0], [UInt8](repeating: 0xFF, count: 11), Array(header().dropLast()), cut,
          extended, padded, [0x40] + header().dropFirst(), [0x80, 200, 0, 6],
          [0x9F, 201, 0, 1, 0, 0, 0, 1], [0x81, 205, 0xFF, 0xFF, 0, 0, 0, 1, 0, 0, 0, 2],
          [0x80, 200, 0, 0], [0xBF, 203, 0, 0],
        ]
        let refused = fixture.dropped(.malformed)
        for packet in bad { await edsger.send(packet) }
        try await eventually("refusals") { fixture.dropped(.malformed) >= refused + bad.count - 2 }
        try await eventually("the figure of a second") {
          await edsger.send([0x80])
          return try await fixture.gateway.statistics(of: .edsger)?.refusedPackets ?? 0 > 0
        }
      }
    }

    @Test func `media survives random bytes of any length`() async throws {
      try await withBadClient { fixture, edsger in
        var random = SeededGenerator(seed: 5)
        for round in 0..<3_000 {
          let count = Int.random(in: 0...1_600, using: &random)
          var packet = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
          // In three of four rounds, the data resembles a packet. These rounds cover all kinds of
          // packets.
          if count > 12, round % 4 > 0 {
            packet[0] = 0x80 | packet[0] & 0x3F
            packet[1] =
              [96, 97, 111, 200, 201, 205, 206, 224, 239][Int(packet[1]) % 9]
            let ssrc = [Guest.edsger.ssrc, 31, 11, Guest.ada.ssrc][Int(packet[2]) % 4]
            for byte in 0..<4 {
              packet[8 + byte] = UInt8(truncatingIfNeeded: ssrc >> (24 - 8 * byte))
            }
          }
          await edsger.send(packet)
        }
        try await edsger.show()
        let counts = DropReason.allCases.map { fixture.dropped($0) }
        #expect(counts.reduce(0, +) > 500)
      }
    }

    @Test func `packets with an unknown SSRC or another client's SSRC are refused`() async throws {
      try await withBadClient { fixture, edsger in
        let refused = fixture.dropped(.ssrc)
        let packets = [
          header(Guest.ada.ssrc), header(Guest.grace.ssrc), header(0), header(.max),
          header(11, type: PayloadTypes.vp8), header(9_001, type: PayloadTypes.vp8),
        ]
        for packet in packets { await edsger.send(packet + [1, 2, 3]) }
        try await eventually("refusals") { fixture.dropped(.ssrc) == refused + packets.count }
      }
    }

    @Test func `payload types outside the negotiated format are refused`() async throws {
      try await withBadClient { fixture, edsger in
        let refused = fixture.dropped(.payloadType)
        var sent = 0
        for type: UInt8 in 0...127 where !(64...95).contains(type) {
          if type != PayloadTypes.opus {
            await edsger.send(header(type: type) + [1])
            sent += 1
          }
          if type != PayloadTypes.vp8, type != PayloadTypes.opus {
            await edsger.send(header(31, type: type) + [1])
            sent += 1
          }
        }
        let expected = refused + sent
        try await eventually("refusals") { fixture.dropped(.payloadType) == expected }
      }
    }

    @Test func `a flood of wrong payload types is counted and blocks nobody`() async throws {
      try await withBadClient { fixture, edsger in
        let refused = fixture.dropped(.payloadType)
        for round in 0..<200 {
          for number in 0..<100 {
            let sequence = UInt16(100 * round + number)
            await edsger.send(header(type: UInt8(number % 60), sequence: sequence) + [1, 2, 3])
          }
          // The test sends the bursts one after another, so that Edsger's own connection has room
          // for them.
          try await edsger.show()
        }
        #expect(fixture.dropped(.payloadType) == refused + 20_000)
        // The participant's statistics cover the last second.
        try await eventually("a second without a refusal") {
          try await fixture.gateway.statistics(of: .edsger)?.refusedPackets == 0
        }
      }
    }

    @Test func `long frames are dropped, and oversized frames close only their connection`()
      async throws
    {
      try await withBadClient { fixture, edsger in
        let refused = fixture.dropped(.malformed)
        await edsger.send(header() + [UInt8](repeating: 1, count: 1_489))
        await edsger.send(header() + [UInt8](repeating: 1, count: (64 << 10) - 12))
        try await eventually("refusals") { fixture.dropped(.malformed) == refused + 2 }
        try await edsger.show()
        await edsger.send(header() + [UInt8](repeating: 1, count: (64 << 10) - 11))
        try await edsger.losses.wait(for: "the end") { !$0.isEmpty }
      }
    }

    @Test
    func `each frame of a message counts as one packet, and too many frames close the connection`()
      async throws
    {
      try await withBadClient { fixture, edsger in
        let refused = fixture.dropped(.ssrc)
        await edsger.send([[UInt8]](repeating: header(0), count: 64))
        try await eventually("refusals") { fixture.dropped(.ssrc) == refused + 64 }
        try await edsger.show()
        await edsger.send([[UInt8]](repeating: header(0), count: 400))
        try await edsger.losses.wait(for: "the end") { !$0.isEmpty }
        #expect(fixture.dropped(.ssrc) <= refused + 64 + 64)
      }
    }

    @Test func `media survives sequence numbers and timestamps that jump`() async throws {
      try await withBadClient { fixture, edsger in
        var random = SeededGenerator(seed: 8)
        for index in 0..<600 {
          let (sequence, timestamp) = (
            UInt16.random(in: 0 ... .max, using: &random),
            UInt32.random(in: 0 ... .max, using: &random)
          )
          await edsger.send(header(sequence: sequence, timestamp: timestamp) + [0xF8, 0xFF, 0xFE])
          await edsger.send(
            header(31, type: PayloadTypes.vp8, sequence: sequence, timestamp: timestamp)
              + [0x10, 0x10, 0, 0, 0x9D, 1, 0x2A, 0x80, 2, 0x68, 1, UInt8(index & 0xFF)])
        }
        for (sequence, timestamp) in [(0, 0), (.max, .max), (32_768, 1 << 31), (1, 0)]
          as [(UInt16, UInt32)]
        {
          await edsger.send(header(sequence: sequence, timestamp: timestamp) + [0xF8, 0xFF, 0xFE])
        }
        try await edsger.show()
        _ = try await fixture.gateway.statistics()
      }
    }

    @Test func `media survives sender reports with impossible times`() async throws {
      try await withBadClient { fixture, edsger in
        for time: UInt64 in [0, 1, .max, 1 << 63] {
          for ssrc in [Guest.edsger.ssrc, 31, 11] {
            var report: [UInt8] = [0x81, 200, 0, 12]
            report += bytes(UInt64(ssrc), 4) + bytes(time, 8) + bytes(time, 4)
            report += [UInt8](repeating: 0xFF, count: 8)
            report += bytes(9_001, 4) + [UInt8](repeating: 0xFF, count: 20)
            await edsger.send(report)
          }
        }
        try await edsger.show()
        _ = try await fixture.gateway.statistics()
      }
    }

    private func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    @Test func `random Opus payloads do not disconnect a client`() async throws {
      try await withBadClient { fixture, edsger in
        var random = SeededGenerator(seed: 9)
        for _ in 0..<300 {
          let payload = (0..<Int.random(in: 0...400, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
          }
          let level = AudioLevel(attenuation: 0, isSpeech: true)
          await edsger.send(await edsger.packet(payload, level: level))
        }
        try await edsger.show()
        let statistics = try await fixture.gateway.statistics(of: .edsger)
        #expect(statistics?.isConnected == true)
      }
    }

    @Test func `media limits its answers to floods of NACKs and key frame requests`()
      async throws
    {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        await fixture.owners.publish(ScriptedOwners.camera(11), by: .ada)
        await fixture.owners.forward([1: 1], to: .grace)
        var random = SeededGenerator(seed: 1)
        await ada.film(VideoPublisher(ssrcs: [11], using: &random))
        let first = try await grace.videos.wait(for: "pictures") { $0.count > 20 }
        let (asked, begin) = (ada.keyFrameRequests.entries.count, ContinuousClock.now)
        let missing = first.compactMap { RTPNumbers($0)?.sequence }.map { SequenceNumber($0) }
        for _ in 0..<500 {
          var writer = RTCPWriter()
          writer.addPictureLoss(sender: 1, media: 9_001)
          writer.addFullIntraRequest(sender: 1, media: 9_001, number: 1)
          writer.addNack(sender: 1, media: 9_001, missing: missing.span)
          await grace.send(writer.bytes)
        }
        try await grace.show()
        let seconds = Double((ContinuousClock.now - begin) / .milliseconds(1)) / 1_000
        #expect(Double(ada.keyFrameRequests.entries.count - asked) <= 2 + 5 * seconds)
        // Media repeats each packet at most a few times.
        let repeats = grace.videos.entries.compactMap { RTPNumbers($0) }
        let most = Dictionary(grouping: repeats, by: \.sequence).values.map(\.count).max() ?? 0
        #expect(most <= 12, "\(most)")
      }
    }
  }
}
