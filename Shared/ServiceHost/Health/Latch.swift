internal import Synchronization

/// A flag that is set once and read from other threads.
final class Latch: Sendable {
  private let value = Atomic(false)

  func set() { value.store(true, ordering: .releasing) }

  var isSet: Bool { value.load(ordering: .acquiring) }
}
