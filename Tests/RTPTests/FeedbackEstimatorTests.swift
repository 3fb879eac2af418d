import Foundation
import RTP
import TestSupport
import Testing

@Suite struct FeedbackEstimatorTests {
  private static let seeds: ClosedRange<UInt64> = 1...12

  private func percentile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }

  /// Returns the errors of the estimates, relative to the capacity of the link.
  private func errors(_ samples: [SimulatedLink.Sample]) -> [Double] {
    samples.map { abs($0.estimate - $0.capacity) / $0.capacity }
  }

  @Test(arguments: [300e3, 600e3, 1_200e3])
  func `the estimator finds and uses the capacity of a narrow link`(capacity: Double) {
    for seed in Self.seeds {
      var link = SimulatedLink(seed: seed) { _ in capacity }
      link.run(seconds: 20)
      let settled = link.samples.filter { $0.time > 5 }
      #expect(percentile(errors(settled), 0.95) < 0.25, "seed \(seed)")
      #expect(percentile(settled.map(\.waitMs), 0.95) < 250, "seed \(seed)")
      let goodput = settled.map(\.arrived).reduce(0, +) / Double(settled.count)
      // Of the sender's possible bitrates below the capacity, the highest is at least two thirds of
      // the capacity.
      #expect(goodput > 0.6 * capacity, "seed \(seed)")
    }
  }

  @Test func `the estimate follows a slower link within 3 s and recovers within 5 s`() {
    for seed in Self.seeds {
      var link = SimulatedLink(seed: seed) { $0 < 8 || $0 >= 20 ? 4e6 : 500e3 }
      link.run(seconds: 30)
      let narrow = link.samples.filter { (11..<20).contains($0.time) }
      #expect(errors(narrow).allSatisfy { $0 < 0.25 }, "seed \(seed)")
      #expect(percentile(narrow.map(\.waitMs), 0.95) < 250, "seed \(seed)")
      let back = link.samples.first { $0.time >= 20 && $0.layer == SimulatedLink.ladder.last }
      #expect((back?.time ?? 99) < 25, "seed \(seed)")
    }
  }

  @Test func `the estimate follows a gradual decrease of capacity despite jitter`() {
    for seed in Self.seeds {
      var link = SimulatedLink(seed: seed) { time in
        time < 8 ? 1.5e6 : max(500e3, 1.5e6 - (time - 8) * 100e3)
      }
      (link.delay, link.jitter) = (60_000, 12_000)
      link.run(seconds: 25)
      let later = link.samples.filter { $0.time > 9 }
      #expect(percentile(errors(later), 0.9) < 0.25, "seed \(seed)")
      #expect(percentile(later.map(\.waitMs), 0.95) < 250, "seed \(seed)")
    }
  }

  @Test(arguments: [25_000, 50_000, 100_000, 150_000] as [Int64])
  func `the estimator does not mistake a longer path for a queue`(delay: Int64) {
    for seed in Self.seeds {
      var link = SimulatedLink(seed: seed) { _ in 900e3 }
      link.delay = 1_000
      link.run(seconds: 4)
      link.delay = delay
      link.run(seconds: 20)
      let later = link.samples.filter { $0.time > 9 }
      #expect(percentile(errors(later), 0.9) < 0.25, "seed \(seed)")
      #expect(percentile(later.map(\.waitMs), 0.95) < 250, "seed \(seed)")
      let goodput = later.map(\.arrived).reduce(0, +) / Double(later.count)
      #expect(goodput > 0.6 * 900e3, "seed \(seed)")
      // No queue forms when the path becomes short again.
      link.delay = 1_000
      link.run(seconds: 30)
      let last = link.samples.filter { $0.time > 22 }
      #expect(percentile(errors(last), 0.9) < 0.25, "seed \(seed)")
      #expect(percentile(last.map(\.waitMs), 0.95) < 250, "seed \(seed)")
    }
  }

  @Test func `two senders share a link, and neither sender starves`() {
    for seed in Self.seeds {
      var link = SimulatedLink(seed: seed, senders: 2) { $0 < 8 ? 50e6 : 1_600e3 }
      link.run(seconds: 30)
      let later = link.allSamples.map { $0.filter { $0.time > 13 } }
      let together = zip(later[0], later[1]).map {
        abs($0.estimate + $1.estimate - 1_600e3) / 1_600e3
      }
      #expect(percentile(together, 0.5) < 0.25, "seed \(seed)")
      #expect(percentile(later[0].map(\.waitMs), 0.95) < 250, "seed \(seed)")
      let got = later.map { $0.map(\.arrived).reduce(0, +) / Double($0.count) }
      #expect(got[0] + got[1] > 0.75 * 1_600e3, "seed \(seed)")
      #expect(min(got[0], got[1]) > 0.25 * 1_600e3, "seed \(seed)")
    }
  }

  @Test func `the estimate follows a link whose rate varies`() {
    for seed in Self.seeds {
      var numbers = SeededGenerator(seed: seed)
      var share = 1.0
      let shares = (0..<200).map { _ in
        share = min(max(share * .random(in: 0.8...1.25, using: &numbers), 0.6), 1.4)
        return share
      }
      var link = SimulatedLink(seed: seed) { 900e3 * shares[Int($0 * 5)] }
      link.delay = 40_000
      link.run(seconds: 30)
      let later = link.samples.filter { $0.time > 5 }
      #expect(percentile(errors(later), 0.5) < 0.25, "seed \(seed)")
      #expect(percentile(later.map(\.waitMs), 0.95) < 300, "seed \(seed)")
    }
  }

  @Test func `the estimator does not underestimate or needlessly probe a free link`() {
    for seed in Self.seeds {
      var link = SimulatedLink(seed: seed) { _ in 50e6 }
      link.run(seconds: 10)
      let later = link.samples.filter { $0.time > 3 }
      #expect(later.allSatisfy { $0.layer == SimulatedLink.ladder.last }, "seed \(seed)")
      #expect(later.allSatisfy { $0.estimate < 8e6 }, "seed \(seed)")
    }
  }

  @Test func `the estimate falls to the minimum without feedback and rises with feedback`() {
    let rules = FeedbackEstimatorParameters()
    var estimator = FeedbackEstimator(rules, at: MonotonicTime(microseconds: 0))
    var now = MonotonicTime(microseconds: 0)
    for _ in 0..<2_000 {
      now = now.advanced(byUs: 20_000)
      estimator.advance(to: now, LinkDemand(goal: .max, bytesInFlight: 3_000))
    }
    #expect(estimator.bitsPerSecond == rules.floor)
    #expect(estimator.window >= rules.leastWindow)
    estimator.limit(to: 0)
    #expect(estimator.bitsPerSecond == rules.floor)
  }

  @Test func `heavy loss lowers the estimate`() {
    var estimator = FeedbackEstimator(at: MonotonicTime(microseconds: 0))
    let before = estimator.bitsPerSecond
    for step in 1...30 {
      let now = MonotonicTime(microseconds: Int64(step) * 50_000)
      let sent = now.microseconds - 20_000
      estimator.take(
        PacketArrival(sentAt: sent, arrivedAt: sent + 5_000, bytes: 1_200), at: now)
      estimator.conclude(
        SentLog.FeedbackResult(arrived: 3, lost: 1), isBacklogged: false, at: now)
    }
    #expect(estimator.bitsPerSecond < before * 9 / 10)
  }
}
