import RTP
import TestSupport
import Testing

struct PlayoutDelayTests {
  @Test(arguments: DelayPattern.all)
  func `playout conceals little and delays little after two seconds`(
    pattern: DelayPattern
  ) {
    var link = JitterLink()
    for (number, delay) in pattern.delays.enumerated() { link.send(number, delay: delay) }
    expectSteady(&link, pattern, after: 100)
  }

  @Test(arguments: DelayPattern.all)
  func `the delay follows new jitter during speech within two seconds`(
    pattern: DelayPattern
  ) {
    var link = JitterLink()
    for number in 0..<500 { link.send(number) }
    for (number, delay) in pattern.delays.enumerated() { link.send(500 + number, delay: delay) }
    expectSteady(&link, pattern, after: 600)
  }

  @Test func `the delay shrinks during speech when the jitter ends`() {
    let pattern = DelayPattern.periodic(each: 5, late: 100_000)
    var link = JitterLink()
    for (number, delay) in pattern.delays.enumerated() { link.send(number, delay: delay) }
    for number in 1_500..<2_500 { link.send(number) }
    link.run(ticks: 1_500)
    #expect((100_000...120_000).contains(link.delays.last ?? 0))
    link.run(ticks: 1_000)
    #expect((link.delays.last ?? .max) <= 23_000)
  }

  /// - Parameter start: The first tick that counts.
  private func expectSteady(_ link: inout JitterLink, _ pattern: DelayPattern, after start: Int) {
    link.run(ticks: start)
    let before = (link.concealed, link.delays.count, link.buffer.counters.concealed)
    let ticks = pattern.delays.count - 100
    link.run(ticks: ticks)
    let concealed = link.concealed - before.0
    #expect(concealed * 100 <= ticks * 3, "\(concealed) of \(ticks)")
    // The counters include every concealed packet.
    #expect(abs(link.buffer.counters.concealed - before.2 - concealed) <= 5)
    let delays = link.delays.dropFirst(before.1)
    let mean = delays.reduce(0, +) / Int64(max(delays.count, 1))
    #expect(mean <= pattern.percentile99 + 20_000, "\(mean) of \(pattern.percentile99)")
  }
}
