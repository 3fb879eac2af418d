import TestSupport
import Testing

@testable import RTP

struct PlayoutPaceTests {
  @Test func `the delay grows after five pulls that are too early`() {
    var pace = PlayoutPace()
    #expect(steps(&pace, 11, transitUs: 30_000) == [5: .later, 10: .later])
  }

  @Test func `the delay grows after two pulls that are too early by more than a packet's length`() {
    var pace = PlayoutPace()
    #expect(steps(&pace, 3, transitUs: 19_999) == [2: .later])
    pace.begin()
    #expect(steps(&pace, 5, transitUs: 20_000) == [5: .later])
  }

  @Test func `a late pull does not increase the delay`() {
    var pace = PlayoutPace()
    #expect(steps(&pace, 4, transitUs: 70_000).isEmpty)
    #expect(steps(&pace, 1, transitUs: 30_000) == [1: .later])
  }

  @Test func `the delay shrinks after all pulls of a second were too late`() {
    var pace = PlayoutPace()
    #expect(steps(&pace, 100, transitUs: 60_000).isEmpty)
    #expect(steps(&pace, 100, transitUs: 60_001) == [50: .sooner, 100: .sooner])
  }

  /// Returns the steps other than ``PlayoutPace/Step/keep``, by the number of the pull, starting at
  /// 1. Each packet contains 20 ms of audio, and its transit should take 40 to 60 ms.
  private func steps(
    _ pace: inout PlayoutPace, _ count: Int, transitUs: Int64
  ) -> [Int: PlayoutPace.Step] {
    var steps: [Int: PlayoutPace.Step] = [:]
    for pull in 1...count {
      let step = pace.step(
        transitUs: transitUs, minUs: 40_000, maxUs: 60_000, packetUs: 20_000)
      if step != .keep { steps[pull] = step }
    }
    return steps
  }
}

struct PacketTransitTimesTests {
  @Test(arguments: [1, 2] as [UInt64])
  func `the given share of the recent packets took longer than the returned transit time`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var window = PacketTransitTimes()
    var all: [Int64] = []
    for _ in 0..<1_000 {
      all.append(Int64.random(in: -50...50, using: &random))
      window.append(all[all.count - 1])
      let last = all.suffix(PacketTransitTimes.capacity).sorted()
      #expect(window.count == last.count)
      #expect(window.transit(exceededBy: 0) == last.last)
      #expect(window.transit(exceededBy: 0.1) == last[last.count - 1 - last.count / 10])
    }
    window.removeAll()
    window.append(7)
    #expect(window.transit(exceededBy: 0.5) == 7)
  }
}
