import Opus

// `#expect` does not accept spans, so these functions take arrays.
extension OpusEncoder {
  /// - Returns: A packet of at most `capacity` bytes.
  mutating func packet(of samples: [Int16], capacity: Int = maxPacketBytes) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: capacity)
    var span = bytes.mutableSpan
    let count = try encode(samples.span, into: &span)
    return Array(bytes[..<count])
  }
}

extension OpusDecoder {
  /// - Parameter capacity: The maximum number of samples per channel.
  mutating func samples(of packet: [UInt8], capacity: Int = maxSampleCount) throws -> [Int16] {
    var samples = [Int16](repeating: 0, count: capacity * channels)
    var span = samples.mutableSpan
    let count = try decode(packet.span, into: &span)
    return Array(samples[..<(count * channels)])
  }

  mutating func samples(lostBefore next: [UInt8], count: Int = 960) throws -> [Int16] {
    var samples = [Int16](repeating: 0, count: count * channels)
    var span = samples.mutableSpan
    _ = try decodeRedundancy(of: next.span, sampleCount: count, into: &span)
    return samples
  }

  mutating func concealment(count: Int = 960, capacity: Int = 960) throws -> [Int16] {
    var samples = [Int16](repeating: 0, count: capacity * channels)
    var span = samples.mutableSpan
    _ = try conceal(sampleCount: count, into: &span)
    return samples
  }
}

/// Functions that encode and decode whole signals.
enum Coding {
  /// Returns packets of 20 ms. An empty packet represents a pause of the transmission (DTX).
  static func packets(of samples: [Int16], _ settings: OpusSettings) throws -> [[UInt8]] {
    var encoder = try OpusEncoder(settings)
    var packets: [[UInt8]] = []
    let size = 960 * settings.channels
    for start in stride(from: 0, to: samples.count - size + 1, by: size) {
      packets.append(try encoder.packet(of: Array(samples[start..<start + size])))
    }
    return packets
  }

  /// Returns the decoded samples of these packets; `nil` is a lost packet.
  static func samples(
    of packets: [[UInt8]?], channels: Int = 1, usesRedundancy: Bool = false
  ) throws -> [Int16] {
    var decoder = try OpusDecoder(channels: channels)
    var samples: [Int16] = []
    for (index, packet) in packets.enumerated() {
      if let packet {
        samples += try decoder.samples(of: packet)
      } else if usesRedundancy, index + 1 < packets.count, let next = packets[index + 1] {
        samples += try decoder.samples(lostBefore: next)
      } else {
        samples += try decoder.concealment()
      }
    }
    return samples
  }

  static func inspect(_ bytes: [UInt8]) -> OpusPacket? { OpusPacket(bytes.span) }
}
