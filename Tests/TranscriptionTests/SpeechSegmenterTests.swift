import LongComputation
import TestSupport
import Testing

@testable import Transcription

@Suite(.longComputation, .serialized) struct SpeechSegmenterTests {
  /// Passes samples to a segmenter in chunks of 100 ms.
  private func segment(
    _ samples: [Int16], _ segmenter: inout SpeechSegmenter, at first: UInt64 = 0
  ) -> [SpeechPiece] {
    var pieces: [SpeechPiece] = []
    for start in stride(from: 0, to: samples.count, by: 1_600) {
      let chunk = Array(samples[start..<min(start + 1_600, samples.count)])
      pieces += segmenter.push(chunk, at: first + UInt64(start))
    }
    return pieces
  }

  @Test func `silence is not detected as speech`() {
    var segmenter = SpeechSegmenter()
    #expect(segment(silence(milliseconds: 3_000), &segmenter).isEmpty)
    #expect(segmenter.flush().isEmpty)
  }

  @Test
  func `an utterance ends after a pause, and includes sound that precedes the detection`()
    throws
  {
    var segmenter = SpeechSegmenter()
    let pieces = segment(
      silence(milliseconds: 1_000) + sound(milliseconds: 800) + silence(milliseconds: 1_000),
      &segmenter)
    let first = try #require(pieces.first)
    let last = try #require(pieces.last)
    #expect(pieces.filter(\.isEndOfUtterance).count == 1)
    #expect(last.isEndOfUtterance)
    #expect((700 * 16..<1_000 * 16).contains(Int(first.first)))
    #expect((2_300 * 16...2_440 * 16).contains(Int(last.end)))
    #expect(!segmenter.isSpeaking)
  }

  @Test func `a long pause between two words makes two utterances`() {
    func count(pause: Int) -> Int {
      var segmenter = SpeechSegmenter()
      let word = sound(milliseconds: 300)
      let pieces = segment(
        word + silence(milliseconds: pause) + word + silence(milliseconds: 1_000), &segmenter)
      return pieces.count(where: \.isEndOfUtterance)
    }
    #expect(count(pause: 300) == 1)
    #expect(count(pause: 900) == 2)
  }

  @Test func `a flush ends the open utterance`() {
    var segmenter = SpeechSegmenter()
    let pieces = segment(sound(milliseconds: 450), &segmenter) + segmenter.flush()
    #expect(pieces.last?.isEndOfUtterance == true)
    #expect(pieces.last?.end == 450 * 16)
    #expect(segmenter.flush().isEmpty)
  }

  @Test func `speech without pauses is split every twenty seconds`() {
    var segmenter = SpeechSegmenter()
    let syllable = sound(milliseconds: 140) + silence(milliseconds: 60)
    let pieces = segment((0..<225).flatMap { _ in syllable }, &segmenter)
    let ends = pieces.filter(\.isEndOfUtterance).map { Int($0.end) / 16 }
    #expect(ends == [20_000, 40_000])
  }

  @Test func `the segmenter learns and then ignores steady noise`() {
    var segmenter = SpeechSegmenter()
    let hum = sound(milliseconds: 40_000, amplitude: 300)
    _ = segment(hum, &segmenter)
    #expect(segment(hum, &segmenter, at: UInt64(hum.count)).isEmpty)
    let word = sound(milliseconds: 500)
    #expect(!segment(word, &segmenter, at: UInt64(2 * hum.count)).isEmpty)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `the pieces of speech keep the order and samples of the input and do not overlap`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    var segmenter = SpeechSegmenter()
    var place: UInt64 = 0
    var end: UInt64 = 0
    var given: [UInt64: Int16] = [:]
    for _ in 0..<60 {
      if Int.random(in: 0..<10, using: &generator) == 0 {
        place += .random(in: 1...9_000, using: &generator)
      }
      let samples = (0..<Int.random(in: 0...2_000, using: &generator)).map { _ in
        Bool.random(using: &generator) ? 0 : Int16.random(in: -9_000...9_000, using: &generator)
      }
      for (index, sample) in samples.enumerated() { given[place + UInt64(index)] = sample }
      var pieces = segmenter.push(samples, at: place)
      place += UInt64(samples.count)
      if Int.random(in: 0..<8, using: &generator) == 0 { pieces += segmenter.flush() }
      for piece in pieces {
        #expect(piece.first >= end)
        for (index, sample) in piece.samples.enumerated() {
          #expect(given[piece.first + UInt64(index)] == sample)
        }
        end = piece.end
      }
      #expect(end <= place)
    }
  }
}
