internal import Foundation
internal import RTP

/// Measures how loud samples are.
enum AudioMeter {
  /// Sound of this attenuation or more is not taken for speech.
  private static let quiet = 50.0

  /// The level as RFC 6464 has it: 0 dBov is the power of a square wave as loud as can be.
  static func level(of samples: Span<Int16>) -> AudioLevel {
    var sum = 0.0
    for index in samples.indices {
      let sample = Double(samples[index])
      sum += sample * sample
    }
    guard sum > 0, samples.count > 0 else { return AudioLevel(attenuation: 127, isSpeech: false) }
    let power = sum / Double(samples.count) / (32_768 * 32_768)
    let attenuation = min(127, max(0, -10 * log10(power)))
    return AudioLevel(attenuation: UInt8(attenuation.rounded()), isSpeech: attenuation < quiet)
  }
}
