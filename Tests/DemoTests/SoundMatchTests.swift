import Foundation
import TestSupport
import Testing

@testable import Demo

/// Tests of the moment at which the demo reports a received sound.
@Suite struct SoundMatchTests {
  /// Returns three seconds of noise that swells and fades like words. Different seeds give
  /// different noise.
  private static func words(seed: UInt64) -> [Int16] {
    var generator = SeededGenerator(seed: seed)
    return (0..<144_000).map { index in
      let loudness = 0.6 + 0.4 * sin(Double(index) / 3_000 + Double(seed))
      return Int16(loudness * Double(Int.random(in: -8_000...8_000, using: &generator)))
    }
  }

  private static let silence = [Int16](repeating: 0, count: 24_000)

  @Test func `a match finds the words and their position in the sound`() {
    let words = Self.words(seed: 1)
    let match = SoundMatch(
      ofPieces: DemoAudioClip(words), in: DemoAudioClip(Self.silence + words + Self.silence))
    #expect(match.correlation > 0.95)
    #expect(abs(match.offset - 0.5) < 0.01)
  }

  @Test func `spoken words are recognized even if a busy machine causes gaps in the sound`() {
    let words = Self.words(seed: 2)
    var torn = Self.silence
    for (part, pause) in [(0..<48_000, 4_800), (48_000..<96_000, 7_200), (96_000..<144_000, 0)] {
      torn += words[part]
      torn += Self.silence.prefix(pause)
    }
    #expect(SoundMatch(of: DemoAudioClip(words), in: DemoAudioClip(torn)).correlation < 0.8)
    #expect(SoundMatch(ofPieces: DemoAudioClip(words), in: DemoAudioClip(torn)).correlation > 0.8)
  }

  @Test func `neither silence nor other words match the spoken words`() {
    let words = DemoAudioClip(Self.words(seed: 3))
    let silence = DemoAudioClip([Int16](repeating: 0, count: 200_000))
    #expect(SoundMatch(ofPieces: words, in: silence).correlation <= 0)
    let others = DemoAudioClip(Self.silence + Self.words(seed: 4) + Self.silence)
    #expect(SoundMatch(ofPieces: words, in: others).correlation < 0.3)
  }
}
