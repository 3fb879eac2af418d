/// The minimum of a value over the last 30 s. The minimum of a delay is the delay without a queue.
///
/// The type drops older values in steps of 10 s, because a path may become longer permanently.
public struct BaseDelayFilter: Sendable {
  private var buckets = InlineArray<3, Int64>(repeating: .max)
  private var newest: Int64 = -4

  private static let step: Int64 = 10_000_000

  /// Creates a filter without values.
  public init() {}

  /// The minimum; `nil` before the first value.
  public var least: Int64? {
    let least = min(buckets[0], buckets[1], buckets[2])
    return least == .max ? nil : least
  }

  /// Records a value.
  public mutating func take(_ value: Int64, at now: MonotonicTime) {
    let step = now.microseconds / Self.step
    if step > newest {
      for passed in max(newest, step - 3) + 1...step { buckets[index(passed)] = .max }
      newest = step
    }
    buckets[index(newest)] = min(buckets[index(newest)], value)
  }

  /// Replaces all earlier values with a new value.
  public mutating func replace(by value: Int64, at now: MonotonicTime) {
    self = BaseDelayFilter()
    take(value, at: now)
  }

  private func index(_ step: Int64) -> Int { Int(((step % 3) + 3) % 3) }
}
