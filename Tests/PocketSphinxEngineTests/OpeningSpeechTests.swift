import Testing

@testable import PocketSphinxEngine

struct OpeningSpeechTests {
  private static let window = CepstralWarmUpBuffer.window

  /// Returns samples that all differ, so that the test notices a wrong sample.
  private func samples(_ range: Range<Int>) -> [Int16] {
    range.map { Int16(truncatingIfNeeded: $0) }
  }

  @Test func `a talker's first speech is held back until its length is two seconds`() {
    var opening = CepstralWarmUpBuffer()
    #expect(opening.take(samples(0..<1_600)) == .hold)
    #expect(opening.take(samples(1_600..<Self.window - 1)) == .hold)
    #expect(opening.held == Self.window - 1)
    let all = samples(0..<Self.window)
    #expect(opening.take([all[Self.window - 1]]) == .adapt(to: all, hear: all))
    #expect(opening.held == 0)
    #expect(opening.take([7, 8]) == .hear([7, 8]))
    #expect(opening.endUtterance() == nil)
  }

  @Test
  func `long first speech is decoded whole, and the decoder adapts to the first two seconds`() {
    var opening = CepstralWarmUpBuffer()
    let all = samples(0..<3 * Self.window)
    #expect(opening.take(all) == .adapt(to: Array(all.prefix(Self.window)), hear: all))
  }

  @Test func `the end of a short utterance releases the speech that was held back`() {
    var opening = CepstralWarmUpBuffer()
    let first = samples(0..<10_000)
    #expect(opening.take(first) == .hold)
    #expect(opening.endUtterance() == .adapt(to: first, hear: first))
    #expect(opening.held == 0)
    #expect(opening.endUtterance() == nil)
  }

  @Test func `short utterances add up to the two seconds of adaptation`() {
    var opening = CepstralWarmUpBuffer()
    let (first, second) = (samples(0..<10_000), samples(10_000..<20_000))
    _ = opening.take(first)
    _ = opening.endUtterance()
    #expect(opening.take(second) == .hold)
    #expect(opening.held == second.count)
    #expect(opening.endUtterance() == .adapt(to: first + second, hear: second))
    let third = samples(20_000..<Self.window)
    #expect(opening.take(third) == .adapt(to: first + second + third, hear: third))
    #expect(opening.take(first) == .hear(first))
  }

  @Test func `an empty piece of speech is not held back`() {
    var opening = CepstralWarmUpBuffer()
    #expect(opening.take([]) == .hold)
    #expect(opening.held == 0)
    #expect(opening.endUtterance() == nil)
  }
}
