import Synchronization

/// The observers of data messages by topic, each topic an exact text.
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

  /// Nobody hears of the topic any more, nor of messages that are on their way to main.
  func removeAll(from topic: String) {
    registries.withLock { $0.removeValue(forKey: topic) }?.removeAll()
  }

  /// Tells the observers of the message's topic, in one block on main; silently nobody if there are
  /// none.
  func post(_ message: DataMessage) {
    registries.withLock { $0[message.topic] }?.post {
      $0.dataMessageDidReceived(dataMessage: message)
    }
  }
}
