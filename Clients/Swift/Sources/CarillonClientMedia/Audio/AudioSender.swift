internal import CarillonClientCore
internal import Opus
internal import RTP

/// The sender of a session's audio: one packet every 20 ms while there is audio to send.
///
/// Runs on the media thread.
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

  /// Whether the last tick sent no packet. The next packet then begins a talkspurt.
  private var isSilent = true
  private(set) var packets: UInt32 = 0
  private var payloadBytes: UInt32 = 0

  /// The number of consecutive packets that were too quiet for speech.
  private var quietPackets = quietPacketsBeforePause

  /// The number of quiet packets, 200 ms, after which libopus may pause the stream.
  private static let quietPacketsBeforePause = 10

  /// The expected loss for which the encoder adds redundancy to packets, in per cent.
  private static let expectedLoss = 10

  /// - Returns: `nil` if libopus fails because memory is short.
  init?(
    _ source: any AudioSource, _ format: MediaRTPParameters, payloadType: UInt8,
    _ settings: SessionMediaSettings, numbers: inout some RandomNumberGenerator
  ) {
    var opus = OpusSettings()
    // The voice mode of libopus would cut low frequencies and shift the lowest tones.
    opus.application = .audio
    opus.isDiscontinuous = true
    opus.hasRedundancy = settings.hasAudioRedundancy
    opus.expectedLoss = settings.hasAudioRedundancy ? Self.expectedLoss : 0
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

  /// Sends the source's audio of the next 20 ms.
  ///
  /// - Parameters:
  ///   - isMuted: Whether to discard the audio instead of sending it.
  ///   - isListenedTo: Whether the connection accepts packets. If the connection accepts no
  ///     packets, this method also discards the audio.
  func tick(isMuted: Bool, isListenedTo: Bool, emit: (Span<UInt8>) -> Void) {
    var span = samples.mutableSpan
    let isHeard = source.read(into: &span)
    defer { timestamp &+= UInt32(SampleRate.perTick) }
    guard !isMuted, isListenedTo else { return fallSilent() }
    if !isHeard {
      // Encode silence until the encoder ends the stream itself and returns no packet.
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

  /// Returns the sender report of the stream; `nil` before the first packet.
  func report(at time: NTPTime) -> SenderReport? {
    guard packets > 0 else { return nil }
    return SenderReport(
      ssrc: ssrc, time: time, timestamp: timestamp, packets: packets, payloadBytes: payloadBytes)
  }

  /// Ends a talkspurt, and resets the encoder, so that earlier audio does not affect later audio.
  private func fallSilent() {
    guard !isSilent else { return }
    isSilent = true
    try? encoder.reset()
  }

  /// Allows libopus to pause the stream (DTX) only after quiet audio.
  ///
  /// After a second, the detector of libopus treats any constant sound as background, even a loud
  /// tone.
  private func allowPause(at level: AudioLevel) {
    quietPackets = level.isSpeech ? 0 : min(quietPackets + 1, Self.quietPacketsBeforePause)
    try? encoder.setDiscontinuous(quietPackets == Self.quietPacketsBeforePause)
  }

  private func send(_ count: Int, _ level: AudioLevel, _ emit: (Span<UInt8>) -> Void) {
    let header = OutgoingRTPHeader(
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
