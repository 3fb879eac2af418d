/// How many bytes had come by when, over the last half second or more, by the receiver's clock.
struct ArrivalCurve: Sendable {
  private typealias Point = (at: Int64, sentAt: Int64, total: Int64)

  private var points = InlineArray<128, Point>(repeating: (0, 0, 0))
  private var count = 0

  /// Points are so far apart at least, so that there is room for half a second.
  private static let step: Int64 = 5_000

  private var newest: Point { points[(count - 1) & 127] }

  mutating func add(_ bytes: Int, at time: Int64, sentAt: Int64) {
    let (last, _, total) = count == 0 ? (Int64.min, 0, 0) : newest
    let sum = total + Int64(bytes)
    // The last point moves on as long as it is near the one before.
    if count > 1, time - points[(count - 2) & 127].at < Self.step {
      points[(count - 1) & 127] = (max(last, time), sentAt, sum)
    } else {
      points[count & 127] = (max(last, time), sentAt, sum)
      count += 1
    }
  }

  /// The rate at which bytes came from a moment on, without what came at that moment itself.
  ///
  /// - Parameters:
  ///   - longest: Nothing older than so much before the last byte counts, in microseconds.
  ///   - shortest: `nil` if there is less to look at.
  /// - Returns: In bits per second: how fast they came, and how fast they had been sent.
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
