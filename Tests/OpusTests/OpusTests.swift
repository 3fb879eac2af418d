import Opus
import Testing

struct OpusTests {
  @Test(arguments: [1, 2])
  func `a tone survives encoding and decoding`(channels: Int) throws {
    let tone = Signals.tone(count: 48_000, channels: channels)
    var settings = OpusSettings()
    settings.channels = channels
    let packets = try Coding.packets(of: tone, settings)
    let heard = try Coding.samples(of: packets, channels: channels)
    #expect(heard.count == tone.count)
    #expect(Signals.correlation(tone, heard, maxDelay: 400 * channels) > 0.9)
  }

  @Test func `a stereo packet decodes to one channel`() throws {
    let tone = Signals.tone(count: 48_000, channels: 2)
    var settings = OpusSettings()
    settings.channels = 2
    let heard = try Coding.samples(of: Coding.packets(of: tone, settings), channels: 1)
    #expect(Signals.correlation(Signals.tone(count: 48_000), heard, maxDelay: 400) > 0.9)
  }

  @Test func `the header of a packet contains its length, channels and band`() throws {
    var settings = OpusSettings()
    settings.maxBandwidth = .wide
    let packets = try Coding.packets(of: Signals.voice(count: 9_600), settings)
    let packet = try #require(Coding.inspect(packets[5]))
    #expect(packet.sampleCount == 960)
    #expect(packet.frameCount >= 1)
    #expect(packet.channels == 1)
    #expect(packet.bandwidth != .full && packet.bandwidth != .superWide)
  }

  @Test
  func `the redundant copy in the next packet is closer to the lost sound than concealment is`()
    throws
  {
    let voice = Signals.voice(count: 96_000)
    var settings = OpusSettings()
    settings.hasRedundancy = true
    settings.expectedLoss = 30
    settings.maxBandwidth = .wide
    let packets = try Coding.packets(of: voice, settings)
    let whole = try Coding.samples(of: packets)

    var received = packets.map(Optional.some)
    let lost = received.indices.filter { index in
      index % 7 == 4 && index + 1 < packets.count
        && Coding.inspect(packets[index + 1])?.hasRedundancy == true
    }
    #expect(lost.count > 5)
    for index in lost { received[index] = nil }
    let recovered = try Coding.samples(of: received, usesRedundancy: true)
    let concealed = try Coding.samples(of: received)

    func error(_ heard: [Int16]) -> Double {
      lost.reduce(0) { sum, index in
        (index * 960..<(index + 1) * 960).reduce(sum) { sum, sample in
          let difference = Double(heard[sample]) - Double(whole[sample])
          return sum + difference * difference
        }
      }
    }
    #expect(error(recovered) < error(concealed) / 2)
    #expect(Signals.correlation(whole, recovered, maxDelay: 0) > 0.9)
  }

  @Test func `a packet without redundancy is not marked as redundant`() throws {
    let packets = try Coding.packets(of: Signals.voice(count: 48_000), OpusSettings())
    #expect(packets.allSatisfy { Coding.inspect($0)?.hasRedundancy == false })
  }

  @Test func `concealment fills the gap of one lost packet`() throws {
    let tone = Signals.tone(count: 48_000)
    let packets = try Coding.packets(of: tone, OpusSettings())
    var received = packets.map(Optional.some)
    received[20] = nil
    let heard = try Coding.samples(of: received)
    let concealed = Signals.power(heard[20 * 960..<21 * 960])
    #expect(concealed > Signals.power(heard[15 * 960..<16 * 960]) / 4)
  }

  @Test func `silence produces empty packets, and the first word after silence is encoded`() throws
  {
    var settings = OpusSettings()
    settings.application = .voice
    settings.isDiscontinuous = true
    let silence = [Int16](repeating: 0, count: 96_000)
    let packets = try Coding.packets(of: silence + Signals.voice(count: 48_000), settings)
    #expect(packets[50..<100].filter(\.isEmpty).count > 40)
    #expect(packets[105..<110].allSatisfy { !$0.isEmpty })
  }

  @Test func `encoding into a small buffer produces an error or a smaller packet`() throws {
    var encoder = try OpusEncoder()
    let frame = Signals.tone(count: 960)
    let small = try encoder.packet(of: frame, capacity: 20)
    #expect((1...20).contains(small.count))
    #expect(throws: OpusError.badArgument) { try encoder.packet(of: frame, capacity: 0) }
  }

  @Test func `an unsupported number of samples is refused`() throws {
    var encoder = try OpusEncoder()
    let frame = Signals.tone(count: 961)
    #expect(throws: OpusError.badArgument) { try encoder.packet(of: frame) }
  }

  @Test(arguments: [(3, 0), (0, 0), (1, 100), (1, 0)])
  func `unsupported settings are refused`(channels: Int, expectedLoss: Int) {
    var settings = OpusSettings()
    settings.channels = channels
    settings.expectedLoss = expectedLoss
    settings.complexity = 11
    #expect(throws: OpusError.badArgument) { _ = try OpusEncoder(settings) }
  }

  @Test func `an empty packet is refused and not concealed`() throws {
    var decoder = try OpusDecoder()
    #expect(throws: OpusError.invalidPacket) { try decoder.samples(of: []) }
    #expect(throws: OpusError.invalidPacket) { try decoder.samples(lostBefore: []) }
    #expect(Coding.inspect([]) == nil)
  }

  @Test func `a buffer that is too small for the samples gives an error`() throws {
    let packets = try Coding.packets(of: Signals.tone(count: 9_600), OpusSettings())
    var decoder = try OpusDecoder()
    #expect(throws: OpusError.bufferTooSmall) {
      try decoder.samples(of: packets[1], capacity: 100)
    }
    #expect(throws: OpusError.bufferTooSmall) {
      try decoder.concealment(count: 960, capacity: 100)
    }
  }

  @Test func `decoding invalid packets produces samples or an error`() throws {
    var state: UInt64 = 1
    func random() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 56)
    }
    var decoder = try OpusDecoder(channels: 2)
    for _ in 0..<3_000 {
      let bytes = (0..<Int(random())).map { _ in random() }
      do {
        let count = try decoder.samples(of: bytes).count / 2
        #expect((120...OpusDecoder.maxSampleCount).contains(count))
        #expect(Coding.inspect(bytes)?.sampleCount == count)
      } catch let error as OpusError {
        #expect(error != .badArgument)
      }
      _ = try? decoder.samples(lostBefore: bytes)
    }
  }
}
