import Foundation
import TestSupport

/// The sentences of one voice: clean WAV files for the engine alone, and Opus packets of all
/// sentences with pauses between them.
struct SpeechRecording: Sendable {
  /// WAV files, one for each sentence: 16-bit PCM, one channel, 16 kHz.
  let files: [String]

  /// Opus packets with 20 ms of audio each.
  let packets: [Packet]

  /// The number of packets of the first sentence and of the pause after this sentence.
  let firstCount: Int

  /// The duration of all sentences but the first, without pauses, in seconds.
  let seconds: Double

  /// The duration of all sentences without pauses, in seconds.
  let secondsWithFirst: Double

  struct Packet: Sendable {
    let payload: [UInt8]

    /// The audio level, in −dBov: 0 is the loudest, 127 is silence.
    let level: UInt8
  }

  private static let hertz = 16_000

  /// The silence after each sentence: 800 ms at 48 kHz.
  private static let pause = [Int16](repeating: 0, count: 800 * 48)

  /// The number of samples in 20 ms at 48 kHz.
  private static let frame = 960

  /// Synthesizes the sentences with flite and encodes them with libopus at 48 kHz.
  static func make(
    _ spoken: SpokenSentences, _ options: MeasurementOptions, in directory: String
  ) async throws -> SpeechRecording {
    var files: [String] = []
    var sound: [Int16] = []
    var (firstCount, firstSamples, samples) = (0, 0, 0)
    for (number, sentence) in spoken.sentences.enumerated() {
      let said = try await Flite.speak(sentence, voice: spoken.voice, at: hertz)
      let file = "\(directory)/\(spoken.voice)-\(number).wav"
      try Data(wave(said)).write(to: URL(filePath: file))
      files.append(file)
      sound += Flite.interpolated(said, by: 48_000 / hertz) + pause
      sound += [Int16](repeating: 0, count: (frame - sound.count % frame) % frame)
      samples += said.count
      if number == 0 { (firstCount, firstSamples) = (sound.count / frame, samples) }
    }
    let payloads = try encode(sound, options, "\(directory)/\(spoken.voice)")
    let packets = payloads.enumerated().map { number, payload in
      Packet(payload: payload, level: level(of: sound[number * frame..<(number + 1) * frame]))
    }
    return SpeechRecording(
      files: files, packets: packets, firstCount: firstCount,
      seconds: Double(samples - firstSamples) / Double(hertz),
      secondsWithFirst: Double(samples) / Double(hertz))
  }

  /// Returns a WAV file of 16-bit PCM, one channel.
  static func wave(_ samples: [Int16]) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let size = 2 * samples.count
    return Array("RIFF".utf8) + bytes(36 + size, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4)
      + bytes(1, 2) + bytes(1, 2) + bytes(hertz, 4) + bytes(2 * hertz, 4) + bytes(2, 2)
      + bytes(16, 2) + Array("data".utf8) + bytes(size, 4)
      + samples.flatMap { bytes(Int($0), 2) }
  }

  private static func encode(
    _ sound: [Int16], _ options: MeasurementOptions, _ path: String
  ) throws -> [[UInt8]] {
    try sound.withUnsafeBytes { Data($0) }.write(to: URL(filePath: "\(path).sound"))
    let process = Process()
    process.executableURL = URL(filePath: "\(options.peers)/opus_alone")
    process.arguments = ["encode", "\(path).sound", "\(path).opus-packets"]
    try process.run()
    process.waitUntilExit()
    let packets = try BenchmarkAudioClient.packets(of: "\(path).opus-packets")
    guard process.terminationStatus == 0, packets.count == sound.count / frame else {
      throw BenchError.ended("opus_alone")
    }
    return packets
  }

  /// Returns the audio level of samples, as clients send it in packets (RFC 6464).
  private static func level(of samples: ArraySlice<Int16>) -> UInt8 {
    let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    guard power > 0 else { return 127 }
    return UInt8(min(max(-10 * log10(power / (32_768 * 32_768)), 0), 127))
  }
}
