import Foundation
import MeetingModel

/// A loudness in decibels above the lowest level of RFC 6464, from 0 (silence, −127 dBov) to 127
/// (overload).
struct Loudness: Comparable, Hashable, Sendable {
  var decibels: Float

  static let silence = Loudness(decibels: 0)
  static let greatest = Loudness(decibels: 127)

  init(decibels: Float) {
    self.decibels = decibels
  }

  /// - Parameter attenuation: The level in −dBov, as in RFC 6464, from 0 for the loudest sound to
  ///   127 for silence.
  init(attenuation: UInt8) {
    decibels = 127 - Float(min(attenuation, 127))
  }

  /// - Parameter samples: The samples of one channel. A full-scale square wave has the loudness
  ///   127.
  init(of samples: [Int16], count: Int) {
    let samples = samples.span
    var energy: Int64 = 0
    for index in 0..<min(count, samples.count) {
      let sample = Int64(samples[index])
      energy &+= sample &* sample
    }
    guard energy > 0, count > 0 else {
      decibels = 0
      return
    }
    let mean = Float(energy) / Float(count) / (32_768 * 32_768)
    decibels = max(0, min(127, 127 + 10 * log10(mean)))
  }

  /// - Parameter power: A power on the scale of ``power``. A power below 1 is silence.
  init(power: Float) {
    decibels = power > 1 ? 10 * log10(power) : 0
  }

  /// The power, on a scale on which silence has the power 1.
  var power: Float { exp2(decibels * 0.332_192_8) }

  /// The level in −dBov, as in RFC 6464.
  var attenuation: UInt8 { UInt8(127 - max(0, min(127, decibels)).rounded()) }

  /// The volume level for clients.
  ///
  /// Sound below −50 dBov is not speech. `medium` begins at −36 dBov, and `high` begins at −22
  /// dBov. Speech at the usual level of −26 dBov is `medium`.
  var volume: VolumeLevel {
    switch decibels {
    case ..<77: .notSpeaking
    case ..<91: .low
    case ..<105: .medium
    default: .high
    }
  }

  /// Moves toward another loudness: almost immediately if the other loudness is higher, and over
  /// half a second if the other loudness is lower.
  mutating func follow(_ now: Loudness) {
    if now > self {
      decibels = max(decibels + (now.decibels - decibels) / 2, now.decibels - 12)
    } else {
      decibels += (now.decibels - decibels) * 0.05
    }
  }

  static func < (left: Loudness, right: Loudness) -> Bool { left.decibels < right.decibels }

  static func + (loudness: Loudness, decibels: Float) -> Loudness {
    Loudness(decibels: loudness.decibels + decibels)
  }
}
