internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A reporter that sends events to a server in batches. When a meeting ends, the reporter sends all
/// waiting events immediately.
///
/// If the process ends, all waiting events are lost. `@unchecked Sendable` because the lock guards
/// all mutable state.
final class HTTPEventReporter: EventReporter, @unchecked Sendable {
  private let target: ClientEventRequest
  private let log: SessionLogger
  private let lock = NSLock()
  private var queue: AnalyticsEventQueue
  private var scheduler: (any Scheduler)?
  private var isStopped = false

  /// - Parameter flushIntervalMs: The interval between two requests, in milliseconds; 1 or more.
  init(
    to target: ClientEventRequest, queue: AnalyticsEventQueue, flushIntervalMs: Int,
    log: SessionLogger
  ) {
    self.target = target
    self.queue = queue
    self.log = log
    scheduler = IntervalScheduler(intervalMs: flushIntervalMs) { [weak self] in self?.flush() }
  }

  deinit { scheduler?.stop() }

  func report(event: SDKEvent) {
    let payload = ClientEventRequest.payload(of: event)
    let hasDropped = lock.withLock {
      guard !isStopped else { return false }
      // The timer does not run while there is nothing to send.
      scheduler?.start()
      return queue.add(payload)
    }
    if hasDropped { log.error("An event was dropped: too many wait to be sent.") }
    if Self.isUrgent(event) { flush() }
  }

  func start() { lock.withLock { isStopped = false } }

  /// Sends the waiting events, and rejects new events.
  func stop() {
    lock.withLock { isStopped = true }
    flush()
  }

  /// Returns whether the reporter must send the event immediately, because the application may end
  /// soon.
  private static func isUrgent(_ event: SDKEvent) -> Bool {
    event.name == EventName.meetingEnded.description
      || event.name == EventName.meetingFailed.description
  }

  private func flush() {
    let payloads = lock.withLock {
      if queue.isIdle { scheduler?.stop() }
      return queue.next()
    }
    guard let payloads else { return }
    let request = target.request(with: payloads)
    let task = URLSession.shared.dataTask(with: request) { [self] _, response, _ in
      wasAnswered((response as? HTTPURLResponse)?.statusCode)
    }
    task.resume()
  }

  private func wasAnswered(_ statusCode: Int?) {
    let lost = lock.withLock { queue.wasAnswered(statusCode) }
    if lost > 0 {
      let answer = statusCode.map { "HTTP \($0)" } ?? "no answer"
      log.error("\(lost) events could not be sent to ingestionUrl: \(answer).")
    }
  }
}
