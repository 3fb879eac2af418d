import Testing

@testable import PocketSphinxEngine

struct OpeningSpeechTests {
  private static let window = OpeningSpeech.window

  /// Returns samples that all differ, so that a wrong one is noticed.
  private func samples(_ range: Range<Int>) -> [Int16] {
    range.map { Int16(truncatingIfNeeded: $0) }
  }

  @Test func `speech waits until there are two seconds of it`() {
    var opening = OpeningSpeech()
    #expect(opening.take(samples(0..<1_600)) == .hold)
    #expect(opening.take(samples(1_600..<Self.window - 1)) == .hold)
    #expect(opening.held == Self.window - 1)
    let all = samples(0..<Self.window)
    #expect(opening.take([all[Self.window - 1]]) == .adapt(to: all, hear: all))
    #expect(opening.held == 0)
    #expect(opening.take([7, 8]) == .hear([7, 8]))
    #expect(opening.endUtterance() == nil)
  }

  @Test func `a piece that is longer is heard whole, and adapted to in part`() {
    var opening = OpeningSpeech()
    let all = samples(0..<3 * Self.window)
    #expect(opening.take(all) == .adapt(to: Array(all.prefix(Self.window)), hear: all))
  }

  @Test func `an utterance that ends earlier waits no longer`() {
    var opening = OpeningSpeech()
    let first = samples(0..<10_000)
    #expect(opening.take(first) == .hold)
    #expect(opening.endUtterance() == .adapt(to: first, hear: first))
    #expect(opening.held == 0)
    #expect(opening.endUtterance() == nil)
  }

  @Test func `short utterances make the two seconds together`() {
    var opening = OpeningSpeech()
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

  @Test func `no sound is nothing to wait for`() {
    var opening = OpeningSpeech()
    #expect(opening.take([]) == .hold)
    #expect(opening.held == 0)
    #expect(opening.endUtterance() == nil)
  }
}
