internal import ZeroMQ

/// One timer of a thread for the earliest of many deadlines.
///
/// All calls run on that thread.
final class DeadlineTimer {
  private let alarm: ThreadTimer
  private var deadline = ContinuousClock.now

  init(on thread: SocketThread) { alarm = ThreadTimer(on: thread) }

  /// Calls `wake` at the deadline, unless the timer is set for an earlier deadline.
  func arm(for deadline: ContinuousClock.Instant, _ wake: @escaping () -> Void) {
    guard !alarm.isSet || deadline < self.deadline else { return }
    self.deadline = deadline
    alarm.set(after: deadline - ContinuousClock.now, wake)
  }

  func cancel() { alarm.cancel() }
}
