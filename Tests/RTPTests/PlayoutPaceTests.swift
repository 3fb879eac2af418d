import TestSupport
import Testing

@testable import RTP

struct PlayoutPaceTests {
  @Test func `the delay grows after five pulls that wait too briefly`() {
    var pace = PlayoutPace()
    #expect(steps(&pace, 11, waitUs: 10_000) == [5: .later, 10: .later])
  }

  @Test func `a late pull does not increase the delay`() {
    var pace = PlayoutPace()
    #expect(steps(&pace, 4, waitUs: 70_000).isEmpty)
    #expect(steps(&pace, 1, waitUs: 30_000) == [1: .later])
  }

  @Test func `the delay shrinks after a second of waiting for more than a packet`() {
    var pace = PlayoutPace()
    #expect(steps(&pace, 100, waitUs: 60_000).isEmpty)
    #expect(steps(&pace, 100, waitUs: 60_001) == [50: .sooner, 100: .sooner])
  }

  @Test func `an excess wait of one packet stays for five seconds after the delay grew`() {
    var pace = PlayoutPace()
    #expect(steps(&pace, 5, waitUs: 10_000) == [5: .later])
    #expect(steps(&pace, 249, waitUs: 65_000).isEmpty)
    #expect(steps(&pace, 1, waitUs: 65_000) == [1: .sooner])
    pace.stretch()
    #expect(steps(&pace, 50, waitUs: 90_000) == [50: .sooner])
  }

  /// Returns the steps other than ``PlayoutPace/Step/keep``, by the number of the pull, starting at
  /// 1. Packets of 20 ms should wait 40 ms.
  private func steps(
    _ pace: inout PlayoutPace, _ count: Int, waitUs: Int64
  ) -> [Int: PlayoutPace.Step] {
    var steps: [Int: PlayoutPace.Step] = [:]
    for pull in 1...count {
      let step = pace.step(waitUs: waitUs, wantedUs: 40_000, packetUs: 20_000, spareUs: 20_000)
      if step != .keep { steps[pull] = step }
    }
    return steps
  }
}

struct TransitWindowTests {
  @Test(arguments: [1, 2] as [UInt64])
  func `the given share of the latest packets exceeds the transit`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var window = TransitWindow()
    var all: [Int64] = []
    for _ in 0..<1_000 {
      all.append(Int64.random(in: -50...50, using: &random))
      window.append(all[all.count - 1])
      let last = all.suffix(TransitWindow.capacity).sorted()
      #expect(window.count == last.count)
      #expect(window.transit(exceededBy: 0) == last.last)
      #expect(window.transit(exceededBy: 0.1) == last[last.count - 1 - last.count / 10])
    }
    window.removeAll()
    window.append(7)
    #expect(window.transit(exceededBy: 0.5) == 7)
  }
}
