import Dispatch
import Synchronization

/// The observers of one kind, each at most once, in the order of their addition.
///
/// The registry compares observers by identity, and retains each observer until its removal.
/// `Observer` is the existential type of a class-bound protocol.
final class ObserverRegistry<Observer>: Sendable {
  private struct Entry: Sendable {
    let id: ObjectIdentifier
    let observer: MainQueueBox<Observer>
  }

  private let entries = Mutex<[Entry]>([])

  /// Adds an observer. Has no effect if the registry already contains the observer.
  func add(_ observer: Observer) {
    let entry = Entry(
      id: ObjectIdentifier(observer as AnyObject), observer: MainQueueBox(value: observer))
    entries.withLock { entries in
      guard !entries.contains(where: { $0.id == entry.id }) else { return }
      entries.append(entry)
    }
  }

  /// Removes an observer. Has no effect if the registry does not contain the observer.
  func remove(_ observer: Observer) {
    let id = ObjectIdentifier(observer as AnyObject)
    entries.withLock { $0.removeAll { $0.id == id } }
  }

  func removeAll() {
    entries.withLock { $0 = [] }
  }

  /// Calls each observer later on the main thread, in one block. Blocks run in the order of
  /// posting.
  ///
  /// The block reads the list of observers when the block runs. Before each call of an observer,
  /// the block checks again whether the observer is registered, because an earlier call may have
  /// removed the observer.
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
