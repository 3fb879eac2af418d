internal import Synchronization

/// A number that only grows: requests served, events dropped.
///
/// Keep the handle: an increment is one atomic addition, looking a counter up is not.
public final class Counter: Sendable {
  private let total = Atomic<UInt64>(0)

  init() {}

  /// Adds to it.
  public func increment(by amount: UInt64 = 1) {
    total.wrappingAdd(amount, ordering: .relaxed)
  }

  /// What has been counted since the process started.
  public var value: UInt64 {
    total.load(ordering: .relaxed)
  }

  func reset() {
    total.store(0, ordering: .relaxed)
  }
}
