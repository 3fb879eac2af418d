import Foundation
import TestSupport

/// The speech of one attendee: words of steady levels with pauses between them, and the numbers of
/// lost packets.
struct TalkScript {
  struct Word {
    /// The word's position, in samples since the start of the speech.
    let samples: Range<Int>
    /// The root mean square, in dBov.
    let level: Double
  }

  var words: [Word] = []
  /// The numbers of 20 ms packets that do not arrive.
  var lost: Set<Int> = []
  /// Whether the talker sends packets of silence in pauses.
  var sendsSilence = false

  /// Returns random words of −15 to −45 dBov, with 3 % loss.
  ///
  /// - Parameter ticks: The total length, in packets.
  static func random(ticks: Int, using random: inout SeededGenerator) -> TalkScript {
    var script = TalkScript()
    let base = Double.random(in: -45 ... -15, using: &random)
    var end = Int.random(in: 0..<48_000, using: &random)
    while end < ticks * 960 {
      let isSentence = Int.random(in: 0..<10, using: &random) < 3
      let length = Int.random(in: isSentence ? 48_000..<144_000 : 3_840..<33_600, using: &random)
      let level = base + Double.random(in: -6...6, using: &random)
      script.words.append(Word(samples: end..<end + length, level: level))
      end += length + Int.random(in: 2_880..<72_000, using: &random)
    }
    script.lost = Set((0..<ticks).filter { _ in Int.random(in: 0..<100, using: &random) < 3 })
    script.sendsSilence = Bool.random(using: &random)
    return script
  }

  /// Returns 20 ms of the speech.
  func frame(_ number: Int) -> [Int16] {
    let range = number * 960..<(number + 1) * 960
    var frame = [Int16](repeating: 0, count: 960)
    for word in words where word.samples.overlaps(range) {
      let gain = Int32(32_768 * pow(10, (word.level - Self.voiceLevel) / 20))
      let samples = word.samples.clamped(to: range)
      // The vowel has exactly 50 frames, because it lasts one second. So no frame crosses the
      // vowel's end.
      let start = range.lowerBound % Self.voice.count
      Self.voice.withUnsafeBufferPointer { voice in
        frame.withUnsafeMutableBufferPointer { frame in
          var index = samples.lowerBound - range.lowerBound
          while index < samples.upperBound - range.lowerBound {
            frame[index] = Int16(clamping: (Int32(voice[start &+ index]) &* gain) >> 15)
            index &+= 1
          }
        }
      }
    }
    return frame
  }

  /// Returns whether a word overlaps these 20 ms.
  func speaks(in number: Int) -> Bool {
    words.contains { $0.samples.overlaps(number * 960..<(number + 1) * 960) }
  }

  /// The level of ``voice``, in dBov.
  private static let voiceLevel = -15.0

  /// A second of a steady vowel.
  private static let voice: [Int16] = {
    let signal = AudioSignal { index in
      (1...10).reduce(0) { sum, harmonic in
        let phase = Double(harmonic * harmonic)
        return sum + sin(2 * .pi * 130 * Double(harmonic * index) / 48_000 + phase)
          / Double(harmonic)
      }
    }
    let samples = (0..<48_000).map(signal.sample)
    let power = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
    let gain = 32_768 * pow(10, voiceLevel / 20) / power.squareRoot()
    return samples.map { Int16(clamping: Int($0 * gain)) }
  }()
}
