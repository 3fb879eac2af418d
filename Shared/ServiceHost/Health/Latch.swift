internal import Synchronization

/// A flag that one thread sets once, and that other threads read.
final class Latch: Sendable {
  private let value = Atomic(false)

  func set() { value.store(true, ordering: .releasing) }

  var isSet: Bool { value.load(ordering: .acquiring) }
}
