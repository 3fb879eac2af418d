internal import Synchronization

/// A number that goes up and down: sessions open, entries waiting in a queue.
public final class Gauge: Sendable {
  /// The bits of a `Double`, which has no atomic form of its own.
  private let bits = Atomic<UInt64>(0)

  init() {}

  /// Replaces it.
  public func set(_ value: Double) {
    bits.store(value.bitPattern, ordering: .relaxed)
  }

  /// Replaces it.
  public func set(_ value: Int) {
    set(Double(value))
  }

  /// Adds to it; a negative amount takes away.
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

  /// Takes one away.
  public func decrement() { add(-1) }

  /// What it is now.
  public var value: Double {
    Double(bitPattern: bits.load(ordering: .relaxed))
  }
}
