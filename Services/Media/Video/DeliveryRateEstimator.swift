import RTP

/// The rate at which packets reach a receiver's connection: the sent bytes minus the growth of the
/// backlog.
struct DeliveryRateEstimator: Sendable {
  private var sentBytes: Int64 = 0
  private var backlog: Int64 = 0

  /// The bytes that were delivered between successive measurements. The entries cover at least half
  /// a second.
  private var steps = InlineArray<16, (bytes: Int64, microseconds: Int64)>(repeating: (0, 0))
  private var count = 0
  private var measuredAt: MonotonicTime?

  private static let window: Int64 = 500_000

  mutating func send(_ bytes: Int) {
    sentBytes += Int64(bytes)
  }

  mutating func measure(backlog waiting: Int, at now: MonotonicTime) {
    let elapsed = measuredAt.map { now.microseconds(since: $0) } ?? 0
    // The estimator combines short intervals, so that the 16 stored intervals together cover half a
    // second.
    if measuredAt != nil, elapsed < Self.window / 16 { return }
    let delivered = max(0, sentBytes - (Int64(waiting) - backlog))
    sentBytes = 0
    backlog = Int64(waiting)
    measuredAt = now
    steps[count & 15] = (delivered, elapsed)
    count += 1
  }

  /// The rate over the last half second; 0 before the first measurement.
  var bitsPerSecond: Double {
    var (bytes, microseconds): (Int64, Int64) = (0, 0)
    for age in 0..<min(count, 16) {
      let step = steps[(count - 1 - age) & 15]
      bytes += step.bytes
      microseconds += step.microseconds
      if microseconds >= Self.window { break }
    }
    return microseconds > 0 ? Double(bytes) * 8_000_000 / Double(microseconds) : 0
  }
}
