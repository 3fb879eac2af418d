import Foundation

/// A sound that is the same in each run. The number of a sample determines the value of the sample.
struct AudioSignal {
  let sample: @Sendable (Int) -> Double
  var channels = 1

  static let silence = AudioSignal { _ in 0 }

  static func tone(_ frequency: Double, amplitude: Double = 6_000) -> AudioSignal {
    AudioSignal { amplitude * sin(2 * .pi * frequency * Double($0) / 48_000) }
  }

  /// Returns a synthetic voice: harmonics of a gliding pitch, in syllables of 200 ms.
  static func voice(pitch: Double = 130, amplitude: Double = 7_000) -> AudioSignal {
    AudioSignal { index in
      let time = Double(index) / 48_000
      let phase = 2 * .pi * (pitch * time + 5 * sin(2 * .pi * 0.7 * time))
      let syllable = max(0, sin(2 * .pi * 2.5 * time))
      return amplitude * syllable
        * (1...10).reduce(0) { $0 + sin(Double($1) * phase) / Double($1) }
    }
  }

  /// Returns the noise of a fan: white noise through a low-pass filter over eight samples.
  static func fan(amplitude: Double) -> AudioSignal {
    AudioSignal { index in
      amplitude * (0..<8).reduce(0) { $0 + white(index - $1) } / 8
    }
  }

  /// This sound in odd seconds, and silence in even seconds.
  var inOddSeconds: AudioSignal {
    AudioSignal { index in index / 48_000 % 2 == 1 ? sample(index) : 0 }
  }

  static func + (left: AudioSignal, right: AudioSignal) -> AudioSignal {
    AudioSignal { left.sample($0) + right.sample($0) }
  }

  func samples(_ range: Range<Int>) -> [Int16] {
    range.flatMap { index in
      Array(repeating: Int16(max(-32_768, min(32_767, sample(index)))), count: channels)
    }
  }

  private static func white(_ index: Int) -> Double {
    var mixed = UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) / Double(1 << 52) - 1
  }
}

/// Measurements of sounds.
enum AudioMeasure {
  /// Returns the energy per sample.
  static func power(_ samples: some Collection<Int16>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))
  }

  /// Returns the ratio of two powers in dB.
  static func ratio(_ first: some Collection<Int16>, _ second: some Collection<Int16>) -> Double {
    10 * log10(max(power(first), 1e-9) / max(power(second), 1e-9))
  }

  /// Returns the amplitude of a tone (Goertzel).
  static func amplitude(of frequency: Double, in samples: some Collection<Int16>) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let phase = 2 * .pi * frequency * Double(index) / 48_000
      real += Double(sample) * cos(phase)
      imaginary += Double(sample) * sin(phase)
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(max(samples.count, 1))
  }

  /// Returns the highest correlation at any delay up to `maxDelay` samples, in steps of 3. Only
  /// every 15th sample counts: an odd number, so that no harmonic is missed.
  static func correlation(_ original: [Int16], _ heard: [Int16], maxDelay: Int) -> Double {
    var best = -1.0
    for delay in stride(from: 0, through: maxDelay, by: 3) {
      var (dot, left, right) = (0.0, 0.0, 0.0)
      for index in stride(from: 0, to: min(original.count, heard.count - delay), by: 15) {
        let a = Double(original[index])
        let b = Double(heard[index + delay])
        dot += a * b
        left += a * a
        right += b * b
      }
      if left > 0, right > 0 { best = max(best, dot / (left * right).squareRoot()) }
    }
    return best
  }

  /// Returns the highest correlation of any piece of 400 ms. Each piece has its own delay: if a
  /// busy machine plays one piece late, the machine also plays all later pieces late.
  static func likeness(_ original: [Int16], _ heard: [Int16]) -> Double {
    let size = 19_200
    return stride(from: 0, through: original.count - size, by: size / 2).map { start in
      correlation(Array(original[start..<start + size]), heard, maxDelay: heard.count - size)
    }.max() ?? 0
  }

  /// Returns the greatest difference between neighbouring samples.
  static func greatestStep(_ samples: some Collection<Int16>) -> Int {
    zip(samples, samples.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }
}
