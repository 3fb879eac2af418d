/// A dictionary that drops the oldest keys when it is full, and drops keys that are too old.
struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let limit: Int
  let retention: Duration
  private var values: [Key: Value] = [:]
  private var order: [(key: Key, moment: ContinuousClock.Instant)] = []
  private var oldest = 0

  private static var leastCompacted: Int { 32 }

  /// - Parameters:
  ///   - limit: The maximum number of keys, at least 1.
  ///   - retention: The maximum age of a key. The next insertion drops older keys.
  init(limit: Int, retention: Duration) {
    precondition(limit > 0, "A memory must hold something.")
    (self.limit, self.retention) = (limit, retention)
  }

  var count: Int { values.count }

  subscript(key: Key) -> Value? { values[key] }

  /// Stores a value. If the key is already stored, its age does not change.
  mutating func remember(_ value: Value, for key: Key, at now: ContinuousClock.Instant) {
    guard values.updateValue(value, forKey: key) == nil else { return }
    order.append((key, now))
    while values.count > limit || order[oldest].moment + retention < now {
      values[order[oldest].key] = nil
      oldest += 1
    }
    if oldest >= Self.leastCompacted, oldest * 2 >= order.count {
      order.removeFirst(oldest)
      oldest = 0
    }
  }
}
