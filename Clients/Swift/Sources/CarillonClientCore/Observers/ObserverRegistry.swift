import Dispatch
import Synchronization

/// The observers of one kind, each at most once, in the order they were added.
///
/// Observers are told apart by identity and held strongly until they are removed. `Observer` is
/// the existential type of a class-bound protocol.
final class ObserverRegistry<Observer>: Sendable {
  private struct Entry: Sendable {
    let id: ObjectIdentifier
    let observer: MainBound<Observer>
  }

  private let entries = Mutex<[Entry]>([])

  /// Nothing happens if the observer is there already.
  func add(_ observer: Observer) {
    let entry = Entry(
      id: ObjectIdentifier(observer as AnyObject), observer: MainBound(value: observer))
    entries.withLock { entries in
      guard !entries.contains(where: { $0.id == entry.id }) else { return }
      entries.append(entry)
    }
  }

  /// Nothing happens if the observer is not there.
  func remove(_ observer: Observer) {
    let id = ObjectIdentifier(observer as AnyObject)
    entries.withLock { $0.removeAll { $0.id == id } }
  }

  func removeAll() {
    entries.withLock { $0 = [] }
  }

  /// Calls each observer on main, later, in one block; blocks run in the order they were posted.
  ///
  /// Who is called is decided when the block runs, and once more before each call, so that an
  /// observer may remove itself or another one meanwhile.
  func post(_ notify: @escaping @Sendable (Observer) -> Void) {
    DispatchQueue.main.async { [self] in
      for entry in entries.withLock({ $0 }) where contains(entry.id) {
        notify(entry.observer.value)
      }
    }
  }

  private func contains(_ id: ObjectIdentifier) -> Bool {
    entries.withLock { $0.contains { $0.id == id } }
  }
}
