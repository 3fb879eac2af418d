internal import ZeroMQ

/// One timer of a thread for the earliest of many deadlines. Lives on that thread.
final class DeadlineTimer {
  private let thread: SocketThread
  private var armed: (id: TimerID, deadline: ContinuousClock.Instant)?

  init(on thread: SocketThread) { self.thread = thread }

  /// Calls `wake` at the deadline, unless something earlier is armed already.
  func arm(for deadline: ContinuousClock.Instant, _ wake: @escaping () -> Void) {
    if let armed {
      guard deadline < armed.deadline else { return }
      thread.cancel(armed.id)
    }
    let id = thread.schedule(after: deadline - ContinuousClock.now) { [weak self] in
      self?.armed = nil
      wake()
    }
    armed = (id, deadline)
  }

  func cancel() {
    if let armed { thread.cancel(armed.id) }
    armed = nil
  }
}
