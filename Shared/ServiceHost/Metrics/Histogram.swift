internal import Synchronization

/// A histogram of durations, in fixed buckets from 50 µs to 10 s.
///
/// All histograms have the same buckets, so monitoring can sum the durations of different services.
public final class Histogram: Sendable {
  /// The upper bound of each bucket, in nanoseconds. The last bucket has no upper bound.
  static let bounds: [UInt64] = [
    50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
    100_000_000, 250_000_000, 500_000_000,
    1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
  ]

  /// The buckets: one for each bound, and a last bucket for longer durations.
  private let buckets: InlineArray<18, Atomic<UInt64>>
  private let nanoseconds = Atomic<UInt64>(0)

  init() {
    buckets = InlineArray { _ in Atomic(0) }
  }

  /// Counts one duration. This method records a negative duration as zero.
  public func observe(_ duration: Duration) {
    observe(nanoseconds: duration.clampedNanoseconds)
  }

  /// Counts the time since `start` as one duration.
  public func observe(since start: ContinuousClock.Instant) {
    observe(start.duration(to: .now))
  }

  func observe(nanoseconds amount: UInt64) {
    let bucket = Self.bounds.firstIndex { amount <= $0 } ?? Self.bounds.count
    buckets[bucket].wrappingAdd(1, ordering: .relaxed)
    nanoseconds.wrappingAdd(amount, ordering: .relaxed)
  }

  /// The number of durations in each bucket; the bucket of the longest durations is last.
  var counts: [UInt64] {
    buckets.indices.map { buckets[$0].load(ordering: .relaxed) }
  }

  /// The sum of all durations, in seconds.
  var sum: Double {
    Double(nanoseconds.load(ordering: .relaxed)) / 1e9
  }

  /// The number of observed durations.
  public var count: UInt64 {
    counts.reduce(0, +)
  }
}
