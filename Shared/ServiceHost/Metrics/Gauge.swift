internal import Synchronization

/// A number that rises and falls, such as open sessions or entries in a queue.
public final class Gauge: Sendable {
  /// The bits of a `Double`, because `Atomic` does not support `Double`.
  private let bits = Atomic<UInt64>(0)

  init() {}

  /// Sets the value.
  public func set(_ value: Double) {
    bits.store(value.bitPattern, ordering: .relaxed)
  }

  /// Sets the value.
  public func set(_ value: Int) {
    set(Double(value))
  }

  /// Adds an amount, which may be negative.
  public func add(_ amount: Double) {
    var old = bits.load(ordering: .relaxed)
    while true {
      let new = (Double(bitPattern: old) + amount).bitPattern
      let (isExchanged, current) = bits.weakCompareExchange(
        expected: old, desired: new, ordering: .relaxed)
      if isExchanged { return }
      old = current
    }
  }

  /// Adds one.
  public func increment() { add(1) }

  /// Subtracts one.
  public func decrement() { add(-1) }

  /// The current value.
  public var value: Double {
    Double(bitPattern: bits.load(ordering: .relaxed))
  }
}
