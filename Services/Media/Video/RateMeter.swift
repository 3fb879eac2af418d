import RTP

/// The sum of the amounts that callers added during the last second, with a resolution of a tenth
/// of a second.
struct RateMeter: Sendable {
  private static let step: Int64 = 100_000
  private var buckets = InlineArray<10, Int64>(repeating: 0)
  private var newest: Int64?
  private(set) var total: Int64 = 0

  mutating func add(_ amount: Int, at now: MonotonicTime) {
    advance(to: now)
    let index = bucket(of: newest ?? 0)
    buckets[index] += Int64(amount)
    total += Int64(amount)
  }

  /// Returns the sum over the last second. During the first second, returns the sum of all amounts
  /// so far.
  mutating func perSecond(at now: MonotonicTime) -> Int {
    advance(to: now)
    return Int(total)
  }

  mutating func clear() {
    self = RateMeter()
  }

  private func bucket(of step: Int64) -> Int { Int(((step % 10) + 10) % 10) }

  private mutating func advance(to now: MonotonicTime) {
    let step = now.microseconds / Self.step
    guard let newest else {
      self.newest = step
      return
    }
    guard step > newest else { return }
    var passed = max(newest + 1, step - 9)
    while passed <= step {
      let index = bucket(of: passed)
      total -= buckets[index]
      buckets[index] = 0
      passed += 1
    }
    self.newest = step
  }
}
