internal import Synchronization

/// A number that only rises, such as the number of served requests or dropped events.
///
/// Keep the counter in a variable: an increment is one atomic addition, but a lookup is slower.
public final class Counter: Sendable {
  private let total = Atomic<UInt64>(0)

  init() {}

  /// Adds an amount.
  public func increment(by amount: UInt64 = 1) {
    total.wrappingAdd(amount, ordering: .relaxed)
  }

  /// The total since the process started.
  public var value: UInt64 {
    total.load(ordering: .relaxed)
  }

  func reset() {
    total.store(0, ordering: .relaxed)
  }
}
