internal import CarillonClientCore
internal import Opus
internal import RTP

/// The audio of a session on its way out: a packet every 20 ms while there is something to say.
///
/// Lives on the media thread.
final class AudioSender {
  private let source: any AudioSource
  private let ssrc: UInt32
  private let payloadType: UInt8
  private let levelExtension: UInt8?
  private var encoder: OpusEncoder
  private var samples = [Int16](repeating: 0, count: SampleRate.perTick)
  private var encoded = [UInt8](repeating: 0, count: 1275)
  private var packet: [UInt8] = []
  private var sequence: SequenceNumber
  private var timestamp: UInt32

  /// Nothing was sent right before: the next packet begins to talk.
  private var isSilent = true
  private(set) var packets: UInt32 = 0
  private var payloadBytes: UInt32 = 0

  /// How many packets in a row were too quiet to be speech.
  private var quietPackets = quietPacketsBeforePause

  /// Libopus decides whether what has been quiet for 200 ms is worth sending.
  private static let quietPacketsBeforePause = 10

  /// Loss that the redundancy within packets is made for, in per cent.
  private static let expectedLoss = 10

  /// - Returns: `nil` if libopus refuses, for want of memory.
  init?(
    _ source: any AudioSource, _ format: MediaPacketFormat, payloadType: UInt8,
    _ settings: MediaSettings, numbers: inout some RandomNumberGenerator
  ) {
    var opus = OpusSettings()
    // Libopus would cut off what is low in voice, and move the lowest tones with it.
    opus.application = .audio
    opus.isDiscontinuous = true
    opus.hasRedundancy = true
    opus.expectedLoss = Self.expectedLoss
    if settings.audioMode == .mono16K { opus.maxBandwidth = .wide }
    guard let encoder = try? OpusEncoder(opus) else { return nil }
    self.encoder = encoder
    self.source = source
    self.payloadType = payloadType
    ssrc = format.audioSent
    levelExtension = format.levelExtension
    sequence = SequenceNumber(.random(in: 0...0x7FFF, using: &numbers))
    timestamp = .random(in: .min ... .max, using: &numbers)
  }

  /// Sends what the source has for these 20 ms.
  ///
  /// - Parameters:
  ///   - isMuted: Nothing is sent, and what the source has is gone.
  ///   - isListenedTo: Whether packets pass; the same otherwise.
  func tick(isMuted: Bool, isListenedTo: Bool, emit: (Span<UInt8>) -> Void) {
    var span = samples.mutableSpan
    let isHeard = source.read(into: &span)
    defer { timestamp &+= UInt32(SampleRate.perTick) }
    guard !isMuted, isListenedTo else { return fallSilent() }
    if !isHeard {
      // A few more packets of nothing let the encoder end well; then it sends none by itself.
      guard !isSilent else { return }
      for index in samples.indices { samples[index] = 0 }
    }
    let level = AudioMeter.level(of: samples.span)
    allowPause(at: level)
    var output = encoded.mutableSpan
    guard let count = try? encoder.encode(samples.span, into: &output), count > 0 else {
      isSilent = true
      return
    }
    send(count, level, emit)
  }

  /// What to tell receivers of the stream; `nil` before the first packet.
  func report(at time: NTPTime) -> SenderReport? {
    guard packets > 0 else { return nil }
    return SenderReport(
      ssrc: ssrc, time: time, timestamp: timestamp, packets: packets, payloadBytes: payloadBytes)
  }

  /// What was said before is not to be heard after a pause, nor to colour what comes then.
  private func fallSilent() {
    guard !isSilent else { return }
    isSilent = true
    try? encoder.reset()
  }

  /// Lets libopus pause (DTX) where there is nothing loud: to its detector any sound that stays the
  /// same becomes background after a second, a tone as well.
  private func allowPause(at level: AudioLevel) {
    quietPackets = level.isSpeech ? 0 : min(quietPackets + 1, Self.quietPacketsBeforePause)
    try? encoder.setDiscontinuous(quietPackets == Self.quietPacketsBeforePause)
  }

  private func send(_ count: Int, _ level: AudioLevel, _ emit: (Span<UInt8>) -> Void) {
    let header = RTPHeader(
      payloadType: payloadType, sequence: sequence, timestamp: timestamp, ssrc: ssrc,
      isMarked: isSilent)
    isSilent = false
    if let levelExtension {
      header.begin(in: &packet) { level.append(to: &$0, id: levelExtension) }
    } else {
      header.begin(in: &packet)
    }
    packet.append(copying: encoded.span.extracting(0..<count))
    sequence = sequence.advanced(by: 1)
    packets &+= 1
    payloadBytes &+= UInt32(count)
    let packet = packet
    emit(packet.span)
  }
}
