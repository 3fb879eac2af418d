/// The number of bytes that had arrived by each point in time, for at least the last 0.5 s of the
/// receiver's clock.
struct PacketArrivalCurve: Sendable {
  private typealias Point = (at: Int64, sentAt: Int64, total: Int64)

  private var points = InlineArray<128, Point>(repeating: (0, 0, 0))
  private var count = 0

  /// The minimum time between two points, in microseconds. At this distance, 128 points cover at
  /// least 0.5 s.
  private static let step: Int64 = 5_000

  private var newest: Point { points[(count - 1) & 127] }

  mutating func add(_ bytes: Int, at time: Int64, sentAt: Int64) {
    let (last, _, total) = count == 0 ? (Int64.min, 0, 0) : newest
    let sum = total + Int64(bytes)
    // If bytes arrive less than one `step` after the second to last point, this code moves the last
    // point. Otherwise this code adds a point.
    if count > 1, time - points[(count - 2) & 127].at < Self.step {
      points[(count - 1) & 127] = (max(last, time), sentAt, sum)
    } else {
      points[count & 127] = (max(last, time), sentAt, sum)
      count += 1
    }
  }

  /// Returns the arrival rate since a time. Bytes that arrived exactly at that time do not count.
  ///
  /// - Parameters:
  ///   - longest: The longest span, in microseconds. The span ends when the newest packet arrives.
  ///   - shortest: The shortest span, in microseconds. The result is `nil` for a shorter span.
  /// - Returns: The arrival rate and the sending rate, in bit/s.
  func rate(
    since moment: Int64, longest: Int64, shortest: Int64
  ) -> (arrived: Double, sent: Double)? {
    guard count > 1 else { return nil }
    let newest = newest
    let begin = max(moment, newest.at - longest)
    var first = newest
    for age in 1..<min(count, 128) {
      let point = points[(count - 1 - age) & 127]
      guard point.at >= begin else { break }
      first = point
    }
    let span = newest.at - first.at
    guard span >= max(shortest, 1) else { return nil }
    let bits = Double(newest.total - first.total) * 8_000_000
    return (bits / Double(span), bits / Double(max(newest.sentAt - first.sentAt, 1)))
  }
}
