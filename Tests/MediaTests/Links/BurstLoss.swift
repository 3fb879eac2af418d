import TestSupport

/// A link that drops 5 % of the packets, and bursts of five packets.
struct BurstLoss {
  private(set) var lost = 0
  private var random: SeededGenerator
  private var left = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func takesNext() -> Bool {
    if left == 0, Int.random(in: 0..<1_000, using: &random) < 4 { left = 5 }
    let isSingle = Int.random(in: 0..<100, using: &random) < 5
    let isLost = isSingle || left > 0
    left = max(0, left - 1)
    lost += isLost ? 1 : 0
    return isLost
  }
}
