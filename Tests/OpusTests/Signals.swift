import Foundation

/// Sounds that are the same in each run.
enum Signals {
  /// Returns a sine, interleaved.
  static func tone(
    _ frequency: Double = 440, amplitude: Double = 8_000, count: Int, channels: Int = 1
  ) -> [Int16] {
    (0..<count * channels).map { index in
      Int16(amplitude * sin(2 * .pi * frequency * Double(index / channels) / 48_000))
    }
  }

  /// Returns a sound like a voice: harmonics of a gliding pitch, in syllables of 200 ms.
  static func voice(count: Int, amplitude: Double = 9_000) -> [Int16] {
    var phase = 0.0
    return (0..<count).map { index in
      let time = Double(index) / 48_000
      phase += 2 * .pi * (130 + 25 * sin(2 * .pi * 0.7 * time)) / 48_000
      var sample = 0.0
      for harmonic in 1...12 { sample += sin(Double(harmonic) * phase) / Double(harmonic) }
      let syllable = max(0, sin(2 * .pi * 2.5 * time))
      return Int16(max(-32_768, min(32_767, amplitude * sample * syllable / 1.5)))
    }
  }

  /// Returns the highest correlation of two signals, −1 to 1, over the possible delays of `second`
  /// up to `maxDelay` samples.
  static func correlation(_ first: [Int16], _ second: [Int16], maxDelay: Int) -> Double {
    var best = -1.0
    for delay in stride(from: 0, through: maxDelay, by: 4) {
      let count = min(first.count, second.count - delay)
      var (dot, left, right) = (0.0, 0.0, 0.0)
      for index in 0..<count {
        let a = Double(first[index])
        let b = Double(second[index + delay])
        dot += a * b
        left += a * a
        right += b * b
      }
      if left > 0, right > 0 { best = max(best, dot / (left * right).squareRoot()) }
    }
    return best
  }

  /// Returns the energy per sample.
  static func power(_ samples: some Collection<Int16>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))
  }
}
