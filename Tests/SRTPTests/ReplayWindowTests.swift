import TestSupport
import Testing

@testable import SRTP

@Suite("The replay window")
struct ReplayWindowTests {
  @Test("the replay window tracks 1,024 indices and refuses older indices")
  func knowsItsIndices() {
    var window = ReplayWindow(first: 5_000)
    #expect(window.verdict(on: 5_000) == .seen)
    #expect(window.verdict(on: 5_001) == .new)
    #expect(window.verdict(on: 5_000 - 1_023) == .new)
    #expect(window.verdict(on: 5_000 - 1_024) == .tooOld)
    window.record(5_000 - 1_023)
    #expect(window.verdict(on: 5_000 - 1_023) == .seen)
    window.record(5_001)
    #expect(window.verdict(on: 5_000 - 1_023) == .tooOld)
  }

  @Test(
    "the window drops indices that a jump leaves behind",
    arguments: [1, 63, 64, 1_023, 1_024, 1_025, 5_000])
  func forgets(distance: UInt64) {
    var window = ReplayWindow(first: 0)
    for index in 1..<UInt64(2_000) { window.record(index) }
    window.record(1_999 + distance)
    for index in 2_000..<(1_999 + distance) where index + 1_024 > 1_999 + distance {
      #expect(window.verdict(on: index) == .new)
    }
    #expect(window.verdict(on: 1_999) == (distance < 1_024 ? .seen : .tooOld))
  }

  @Test("the replay window accepts the same indices as a set of all indices", arguments: 0..<50)
  func agreesWithASet(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var highest = UInt64.random(in: 0...5_000, using: &random)
    var window = ReplayWindow(first: highest)
    var seen: Set = [highest]
    for _ in 0..<3_000 {
      let lowest = highest > 1_100 ? highest - 1_100 : 0
      let index = UInt64.random(in: lowest...(highest + 40), using: &random)
      let expected: ReplayWindow.Verdict =
        index + 1_024 <= highest ? .tooOld : seen.contains(index) ? .seen : .new
      #expect(window.verdict(on: index) == expected)
      guard expected == .new else { continue }
      window.record(index)
      seen.insert(index)
      highest = max(highest, index)
    }
  }
}

@Suite("A packet's index")
struct PacketIndexTests {
  @Test(
    "the estimated index is the nearest to the highest index",
    arguments: [
      (UInt16(7), nil, 7), (8, 7, 8), (0, 0xffff, 0x1_0000), (0xffff, 0x1_0000, 0xffff),
      (0x7fff, 0xffff, 0x7fff), (0x7ffe, 0xffff, 0x1_7ffe), (0xffff, 0x2_0000, 0x1_ffff),
      (0x8000, 0x1_0000, 0x1_8000), (0x8001, 0x1_0000, 0x8001), (0xffff, 5, 0xffff),
      (0, 0xffff_ffff_ffff, 0x1_0000_0000_0000),
    ] as [(UInt16, UInt64?, UInt64)])
  func isTheNearest(number: UInt16, highest: UInt64?, index: UInt64) {
    #expect(PacketIndex.estimate(number, highest: highest) == index)
  }

  @Test("the estimated index is right within 2^15 packets of the highest index", arguments: 0..<20)
  func isFoundAgain(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      let highest = UInt64.random(in: 0x1_0000...0xffff_ffff_0000, using: &random)
      let distance = Int64.random(in: -0x7fff...0x7fff, using: &random)
      let index = UInt64(Int64(highest) + distance)
      #expect(PacketIndex.estimate(UInt16(index & 0xffff), highest: highest) == index)
    }
  }
}
