internal import CarillonClientCore
internal import Opus
internal import RTP

/// The receiver of a session's audio. The receiver orders and decodes packets, and conceals lost
/// packets.
///
/// The receiver writes 20 ms of audio to the sink at each tick. The receiver runs on the media
/// thread.
final class AudioReceiver {
  private let sink: any AudioSink
  private let channels: Int
  private var decoder: OpusDecoder
  private var buffer = JitterBuffer(clockRate: SampleRate.hertz)
  private var statistics = ReceptionStatistics(clockRate: UInt32(SampleRate.hertz))
  /// The samples of a decoded packet.
  private var decoded: [Int16]

  /// The samples of the packet into which the receiver cross-fades ``decoded``.
  private var other: [Int16]
  /// The decoded samples that the receiver has not written to the sink yet.
  private var waiting: [Int16] = []
  private var played: [Int16]
  private(set) var hasPackets = false

  /// - Returns: `nil` if libopus fails because memory is short.
  init?(_ sink: any AudioSink, isStereo: Bool) {
    channels = isStereo ? 2 : 1
    guard let decoder = try? OpusDecoder(channels: channels) else { return nil }
    self.decoder = decoder
    self.sink = sink
    decoded = Array(repeating: 0, count: OpusDecoder.maxSampleCount * channels)
    other = decoded
    played = Array(repeating: 0, count: SampleRate.perTick * channels)
    waiting.reserveCapacity(2 * decoded.count)
  }

  // MARK: Packets

  func receive(_ packet: RTPPacket, _ bytes: Span<UInt8>, at now: MonotonicTime) {
    let payload = bytes.extracting(packet.payload)
    guard let contents = OpusPacket(payload) else { return }
    hasPackets = true
    statistics.receive(packet.sequence, timestamp: packet.timestamp, at: now)
    _ = buffer.put(
      payload, sequence: packet.sequence, timestamp: packet.timestamp,
      sampleCount: contents.sampleCount, arrival: now, hasRedundancy: contents.hasRedundancy)
  }

  func receive(_ report: SenderReport, at now: MonotonicTime) {
    statistics.receive(report, at: now)
  }

  func takeReport(ssrc: UInt32, at now: MonotonicTime) -> ReportBlock {
    statistics.takeReport(ssrc: ssrc, at: now)
  }

  /// The number of concealed packets.
  var concealedPackets: Int { buffer.counters.concealed }

  /// Adds the counts of received packets to the totals of a session.
  func add(to totals: inout MediaTotals) {
    totals.audioExpected += Int(statistics.expected)
    totals.audioLost += buffer.counters.lost
  }

  // MARK: Playing

  /// Writes the next 20 ms of audio to the sink. Writes nothing before the first packet. After the
  /// first packet, writes silence during pauses.
  func tick(at now: MonotonicTime) {
    guard hasPackets else { return }
    while waiting.count < played.count, play(buffer.pull(at: now), at: now) {}
    let count = min(waiting.count, played.count)
    for index in played.indices { played[index] = index < count ? waiting[index] : 0 }
    waiting.removeFirst(count)
    let played = played
    sink.write(played.span, channels: channels)
  }

  /// Decodes the samples to play next.
  ///
  /// - Returns: `false` if there is nothing to play now.
  private func play(_ playout: PlayoutInstruction, at now: MonotonicTime) -> Bool {
    let count: Int
    switch playout {
    case .packet(let packet):
      count = decode(packet)
    case .shortened(let packet):
      count = decode(packet)
      fade(into: buffer.pull(at: now), count)
    case .redundancy(let next, let samples):
      count = decodeRedundancy(in: next, samples)
    case .concealment(let samples):
      count = conceal(samples)
    case .nothing:
      return false
    }
    waiting.append(contentsOf: decoded[..<(count * channels)])
    return count > 0
  }

  private func decode(_ packet: PlayoutInstruction.Packet) -> Int {
    var samples = decoded.mutableSpan
    let count = buffer.withPayload(of: packet) { payload in
      try? decoder.decode(payload, into: &samples)
    }
    // If the decoder cannot decode a packet, the receiver counts the packet as lost.
    return count ?? conceal(packet.sampleCount)
  }

  private func decodeRedundancy(in next: PlayoutInstruction.Packet, _ sampleCount: Int) -> Int {
    var samples = decoded.mutableSpan
    let count = buffer.withPayload(of: next) { payload in
      try? decoder.decodeRedundancy(of: payload, sampleCount: sampleCount, into: &samples)
    }
    return count ?? conceal(sampleCount)
  }

  private func conceal(_ sampleCount: Int) -> Int {
    var samples = decoded.mutableSpan
    return (try? decoder.conceal(sampleCount: sampleCount, into: &samples)) ?? 0
  }

  /// Cross-fades the decoded packet into the following packet, within the duration of one packet.
  private func fade(into following: PlayoutInstruction, _ count: Int) {
    guard case .packet(let packet) = following, count > 0 else { return }
    swap(&decoded, &other)
    let second = decode(packet)
    let length = min(count, second) * channels
    for index in 0..<length {
      let sum = Int(other[index]) * (length - index) + Int(decoded[index]) * index
      decoded[index] = Int16(clamping: sum / length)
    }
  }
}
