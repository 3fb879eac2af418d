internal import Foundation
internal import RTP

/// A meter of the level of audio.
enum AudioMeter {
  /// The smallest attenuation in dB at which audio is too quiet to be speech.
  private static let quiet = 50.0

  /// Returns the level as RFC 6464 defines it: 0 dBov is the power of a full-scale square wave.
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
