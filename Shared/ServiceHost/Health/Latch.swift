internal import Synchronization

/// Something that happens once and is asked about from elsewhere.
final class Latch: Sendable {
  private let value = Atomic(false)

  func set() { value.store(true, ordering: .releasing) }

  var isSet: Bool { value.load(ordering: .acquiring) }
}
