/// A dictionary that forgets its oldest keys when it is full.
struct BoundedMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let limit: Int
  private var values: [Key: Value] = [:]
  private var order: [Key] = []
  private var oldest = 0

  /// - Parameter limit: At least 1.
  init(limit: Int) {
    precondition(limit > 0, "A memory must hold something.")
    self.limit = limit
  }

  var count: Int { values.count }

  /// Setting a key again keeps its age.
  subscript(key: Key) -> Value? { values[key] }

  mutating func remember(_ value: Value, for key: Key) {
    guard values.updateValue(value, forKey: key) == nil else { return }
    order.append(key)
    guard values.count > limit else { return }
    values[order[oldest]] = nil
    oldest += 1
    if oldest > limit {
      order.removeFirst(oldest)
      oldest = 0
    }
  }
}
