import RTP
import TestSupport
import Testing

/// Tests that the buffer adapts to a delay pattern within two seconds. After these two seconds, the
/// buffer must conceal at most 3 in 100 frames, and must delay no packet more than 20 ms beyond the
/// pattern's 99th percentile.
struct PlayoutDelayEstimatorTests {
  @Test(arguments: DelayPattern.all(seeds: 1...8))
  func `in six seconds of speech, few frames are concealed and the delay stays low`(
    pattern: DelayPattern
  ) {
    let pattern = pattern.prefix(400)
    var link = JitterLink()
    for (number, delay) in pattern.delays.enumerated() { link.send(number, delay: delay) }
    expectSteady(&link, pattern, from: 100, to: 400)
  }

  @Test(arguments: DelayPattern.all(seeds: 1...8))
  func `in speech with pauses, few frames are concealed and the delay stays low`(
    pattern: DelayPattern
  ) {
    let pattern = pattern.prefix(800)
    var link = JitterLink()
    var random = SeededGenerator(seed: UInt64(pattern.delays.reduce(0, +)))
    let talk = Self.talk(until: pattern.delays.count, &random)
    for (number, time) in talk.enumerated() {
      link.send(number, recordedAt: time, delay: pattern.delays[time])
    }
    expectSteady(&link, pattern, from: 100, to: pattern.delays.count, talk: talk)
  }

  @Test(arguments: DelayPattern.all(seeds: 1...2))
  func `the delay adapts to new jitter during speech`(pattern: DelayPattern) {
    var link = JitterLink()
    for number in 0..<500 { link.send(number) }
    for (number, delay) in pattern.delays.enumerated() { link.send(500 + number, delay: delay) }
    expectSteady(&link, pattern, from: 600, to: 2_000)
  }

  @Test func `the delay shrinks during speech when the jitter ends`() {
    let pattern = DelayPattern.periodic(each: 5, late: 100_000, seed: 1)
    var link = JitterLink()
    for (number, delay) in pattern.delays.enumerated() { link.send(number, delay: delay) }
    for number in 1_500..<2_500 { link.send(number) }
    link.run(ticks: 1_500)
    #expect((100_000...120_000).contains(link.delays.last ?? 0))
    link.run(ticks: 1_000)
    #expect((link.delays.last ?? .max) <= 23_000)
  }

  @Test(arguments: [-360_000, -30_000, 30_000, 360_000] as [Int64])
  func `no speech is lost after a pause in which the clocks drifted apart`(drift: Int64) {
    var link = JitterLink()
    var random = SeededGenerator(seed: 1)
    var jitter: Int64 { Int64.random(in: 0...50_000, using: &random) }
    for number in 0..<500 { link.send(number, delay: jitter) }
    // The pause lasts a minute.
    for number in 500..<1_500 {
      link.send(number, recordedAt: number + 3_000, delay: drift + jitter)
    }
    link.run(ticks: 3_500)
    let before = link.buffer.counters.concealed
    link.run(ticks: 1_020)
    #expect(link.buffer.counters.concealed - before <= 5)
    // The buffer skips packets that wait much longer than necessary.
    #expect(link.played.count >= 1_495)
    #expect((link.delays.last ?? .max) <= drift + 70_000)
  }

  /// - Parameters:
  ///   - start: The first tick that the test includes.
  ///   - talk: The send times of the packets, in units of 20 ms; `nil` for speech without pauses.
  private func expectSteady(
    _ link: inout JitterLink, _ pattern: DelayPattern, from start: Int, to end: Int,
    talk: [Int]? = nil
  ) {
    link.run(ticks: start)
    let before = (link.buffer.counters.concealed, link.concealed, link.delays.count)
    link.run(ticks: end - start)
    let concealed = link.buffer.counters.concealed - before.0
    let frames = talk?.count { $0 >= start } ?? end - start
    #expect(concealed * 100 <= frames * 3, "\(concealed) of \(frames)")
    // The counters include every concealed packet.
    if talk == nil { #expect(abs(link.concealed - before.1 - concealed) <= 5) }
    let longest = link.delays.dropFirst(before.2).max() ?? .max
    #expect(longest <= pattern.percentile99 + 20_000, "\(longest), \(pattern.percentile99)")
  }

  /// Returns the times at which the sender sends packets, in units of 20 ms: phrases of 0.5 to 2 s,
  /// with pauses of 0.3 to 1.5 s.
  private static func talk(until end: Int, _ random: inout SeededGenerator) -> [Int] {
    var times: [Int] = []
    var time = 0
    while time < end {
      let length = Int.random(in: 25...100, using: &random)
      times += time..<min(time + length, end)
      time += length + Int.random(in: 15...75, using: &random)
    }
    return times
  }
}
