internal import Synchronization

/// The number and the sum of recorded values, for recorders of other libraries. The unit of these
/// values is unknown, so there are no suitable buckets for a histogram.
final class SummaryMetric: Sendable {
  private let total = Mutex((count: UInt64(0), sum: 0.0))

  func record(_ value: Double) {
    total.withLock {
      $0.count += 1
      $0.sum += value
    }
  }

  var snapshot: (count: UInt64, sum: Double) {
    total.withLock { $0 }
  }
}
