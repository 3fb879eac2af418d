import TestSupport
import Testing

/// The delays of a link for a stream of 20 ms packets.
struct DelayPattern: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The delays in microseconds, by the number of the packet.
  let delays: [Int64]

  /// The delay that one packet in a hundred exceeds, in microseconds.
  var percentile99: Int64 {
    let sorted = delays.sorted()
    return sorted[sorted.count - 1 - sorted.count / 100]
  }

  private init(
    _ name: String, count: Int = 1_500, seed: UInt64 = 1,
    delay: (Int, inout SeededGenerator) -> Int64
  ) {
    testDescription = name
    var random = SeededGenerator(seed: seed)
    delays = (0..<count).map { delay($0, &random) }
  }

  /// Delays one packet in each period, so that the packets after it overtake it.
  static func periodic(each period: Int, late delay: Int64) -> DelayPattern {
    DelayPattern("each \(period). packet \(delay / 1_000) ms late") { number, _ in
      number % period == period - 1 ? delay : 0
    }
  }

  /// The link stops for a while, and then delivers all waiting packets at once.
  ///
  /// - Parameters:
  ///   - period: The time from one scan to the next, in microseconds.
  ///   - length: The length of a scan, in microseconds.
  static func scans(each period: Int64, of length: Int64, seed: UInt64) -> DelayPattern {
    DelayPattern("a scan of \(length / 1_000) ms each \(period / 1_000) ms, \(seed)", seed: seed) {
      number, random in
      let since = Int64(number) * 20_000 % period
      return max(0, length - since) + Int64.random(in: 0...2_000, using: &random)
    }
  }

  /// At random times, some consecutive packets are late.
  static func bursts(late delay: Int64, seed: UInt64) -> DelayPattern {
    var left = 0
    return DelayPattern("bursts \(delay / 1_000) ms late, \(seed)", seed: seed) { _, random in
      if left == 0, Int.random(in: 0..<40, using: &random) == 0 {
        left = Int.random(in: 3...8, using: &random)
      }
      left = max(0, left - 1)
      return (left > 0 ? delay : 0) + Int64.random(in: 0...3_000, using: &random)
    }
  }

  /// The link has two paths, and one is longer.
  static func bimodal(share: Double, late delay: Int64, seed: UInt64) -> DelayPattern {
    DelayPattern("\(share) of packets \(delay / 1_000) ms late, \(seed)", seed: seed) { _, random in
      let isLate = Double.random(in: 0..<1, using: &random) < share
      return (isLate ? delay : 0) + Int64.random(in: 0...5_000, using: &random)
    }
  }

  static let all: [DelayPattern] =
    [(10, 40_000), (3, 40_000), (25, 60_000), (5, 100_000), (4, 20_000), (50, 80_000)].map {
      periodic(each: $0.0, late: $0.1)
    }
    + [1, 2].flatMap { seed in
      [
        scans(each: 500_000, of: 60_000, seed: seed),
        scans(each: 500_000, of: 110_000, seed: seed),
        bursts(late: 50_000, seed: seed), bursts(late: 120_000, seed: seed),
        bimodal(share: 0.3, late: 50_000, seed: seed),
        bimodal(share: 0.05, late: 90_000, seed: seed),
      ]
    }
}
