internal import Synchronization

/// A number that only grows, such as requests served or events dropped.
///
/// Keep the handle: an increment is one atomic addition, but a lookup is not.
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
