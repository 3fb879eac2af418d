import Dispatch

extension DefaultRealtimeController: DataMessageLogFacade {
  func realtimeSendDataMessage(
    topic: String, data: Any, lifetimeMs: Int32, recipients: [String],
    completion: @escaping (Result<DataMessageReceipt, DataMessageFailure>) -> Void
  ) throws {
    let completion = MainQueueBox(value: completion)
    try submit(topic: topic, data: data, lifetimeMs: lifetimeMs, recipients: recipients) {
      outcome in DispatchQueue.main.async { completion.value(outcome) }
    }
  }

  func realtimeSendDataMessage(
    topic: String, data: Any, lifetimeMs: Int32, recipients: [String]
  ) async throws -> DataMessageReceipt {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try submit(topic: topic, data: data, lifetimeMs: lifetimeMs, recipients: recipients) {
          continuation.resume(with: $0)
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  func addDataMessageLogObserver(observer: any DataMessageLogObserver) {
    dataMessageLogObservers.add(observer)
  }

  func removeDataMessageLogObserver(observer: any DataMessageLogObserver) {
    dataMessageLogObservers.remove(observer)
  }
}
