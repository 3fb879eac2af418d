import Synchronization

/// The observers of data messages by topic. Topics match exactly.
final class DataMessageObservers: Sendable {
  private let registries = Mutex<[String: ObserverRegistry<any DataMessageObserver>]>([:])

  func add(_ observer: any DataMessageObserver, to topic: String) {
    let registry = registries.withLock { registries in
      let registry = registries[topic] ?? ObserverRegistry<any DataMessageObserver>()
      registries[topic] = registry
      return registry
    }
    registry.add(observer)
  }

  /// Removes all observers of the topic. These observers do not receive pending messages.
  func removeAll(from topic: String) {
    registries.withLock { $0.removeValue(forKey: topic) }?.removeAll()
  }

  /// Posts the message to the observers of its topic, in one block on the main thread.
  ///
  /// Drops the message if its topic has no observers.
  func post(_ message: DataMessage) {
    registries.withLock { $0[message.topic] }?.post {
      $0.dataMessageDidReceived(dataMessage: message)
    }
  }
}
