import TestSupport
import Testing

/// The delays of a link for a stream of 20 ms packets, over at most 30 s.
struct DelayPattern: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The delays in microseconds. The index is the send time of a packet, in units of 20 ms.
  let delays: [Int64]

  /// The delay that one packet in a hundred exceeds, in microseconds.
  var percentile99: Int64 {
    let sorted = delays.sorted()
    return sorted[sorted.count - 1 - sorted.count / 100]
  }

  private init(
    _ name: String, seed: UInt64, delay: (Int, inout SeededGenerator) -> Int64
  ) {
    testDescription = "\(name), seed \(seed)"
    var random = SeededGenerator(seed: seed)
    delays = (0..<1_500).map { delay($0, &random) }
  }

  private init(testDescription: String, delays: [Int64]) {
    self.testDescription = testDescription
    self.delays = delays
  }

  /// Returns the first part of the pattern.
  func prefix(_ count: Int) -> DelayPattern {
    DelayPattern(testDescription: testDescription, delays: Array(delays.prefix(count)))
  }

  /// Returns a pattern that delays one packet in each period, so that later packets overtake this
  /// packet.
  static func periodic(each period: Int, late delay: Int64, seed: UInt64) -> DelayPattern {
    DelayPattern("each \(period). packet \(delay / 1_000) ms late", seed: seed) { number, _ in
      (number + Int(seed)) % period == 0 ? delay : 0
    }
  }

  /// Returns a pattern of regular scans. During a scan, the link stops. After the scan, the link
  /// delivers all waiting packets at once.
  ///
  /// - Parameters:
  ///   - period: The time from one scan to the next, in microseconds.
  ///   - length: The length of a scan, in microseconds.
  static func scans(each period: Int64, of length: Int64, seed: UInt64) -> DelayPattern {
    let name = "a scan of \(length / 1_000) ms each \(period / 1_000) ms"
    var phase: Int64?
    return DelayPattern(name, seed: seed) { number, random in
      let first = phase ?? Int64.random(in: 0..<period, using: &random)
      phase = first
      let since = (Int64(number) * 20_000 + first) % period
      return max(0, length - since) + Int64.random(in: 0...2_000, using: &random)
    }
  }

  /// Returns a pattern of bursts: at random times, 3 to 8 consecutive packets are late, and the
  /// next 20 to 60 packets are not late.
  static func bursts(late delay: Int64, seed: UInt64) -> DelayPattern {
    var (gap, left) = (0, 0)
    return DelayPattern("bursts \(delay / 1_000) ms late", seed: seed) { _, random in
      if gap == 0, left == 0 {
        gap = Int.random(in: 20...60, using: &random)
        left = Int.random(in: 3...8, using: &random)
      }
      let isLate = gap == 0
      if isLate { left -= 1 } else { gap -= 1 }
      return (isLate ? delay : 0) + Int64.random(in: 0...3_000, using: &random)
    }
  }

  /// Returns the pattern of a link with two paths. One path is longer than the other path.
  static func bimodal(share: Double, late delay: Int64, seed: UInt64) -> DelayPattern {
    DelayPattern("\(share) of packets \(delay / 1_000) ms late", seed: seed) { _, random in
      let isLate = Double.random(in: 0..<1, using: &random) < share
      return (isLate ? delay : 0) + Int64.random(in: 0...5_000, using: &random)
    }
  }

  /// Returns the patterns of all four kinds.
  static func all(seeds: ClosedRange<UInt64>) -> [DelayPattern] { seeds.flatMap(all) }

  private static func all(seed: UInt64) -> [DelayPattern] {
    [
      periodic(each: 10, late: 40_000, seed: seed), periodic(each: 3, late: 40_000, seed: seed),
      periodic(each: 25, late: 60_000, seed: seed), periodic(each: 5, late: 100_000, seed: seed),
      periodic(each: 4, late: 20_000, seed: seed), periodic(each: 50, late: 80_000, seed: seed),
      scans(each: 500_000, of: 60_000, seed: seed), scans(each: 500_000, of: 110_000, seed: seed),
      scans(each: 500_000, of: 200_000, seed: seed),
      bursts(late: 50_000, seed: seed), bursts(late: 120_000, seed: seed),
      bursts(late: 190_000, seed: seed),
      bimodal(share: 0.3, late: 50_000, seed: seed), bimodal(share: 0.05, late: 90_000, seed: seed),
      bimodal(share: 0.5, late: 150_000, seed: seed),
    ]
  }
}
