/// A resettable timer of a thread. Except for its creation, all calls run on that thread.
public final class ThreadTimer {
  private let thread: SocketThread
  private var timer: TimerID?

  /// Creates a timer that is not set. Any thread may call this initializer.
  public init(on thread: SocketThread) { self.thread = thread }

  /// Whether the timer is set and has not fired yet.
  public var isSet: Bool { timer != nil }

  /// Sets the timer: calls `body` once after `delay`. If the timer was already set, the earlier
  /// setting no longer applies.
  ///
  /// - Parameter body: The closure. The timer stores the closure until the call or the
  ///   cancellation. The closure may set the timer again. In an actor, the closure captures `self`
  ///   strongly: with `unowned`, Swift 6.3 rejects `assumeIsolated` ("pattern that the region-based
  ///   isolation checker does not understand").
  public func set(after delay: Duration, _ body: @escaping () -> Void) {
    cancel()
    timer = thread.schedule(after: delay) { [self] in
      timer = nil
      body()
    }
  }

  /// Sets the timer, unless the timer is already set.
  public func setUnlessSet(after delay: Duration, _ body: @escaping () -> Void) {
    if !isSet { set(after: delay, body) }
  }

  /// Cancels the timer. Has no effect if the timer is not set.
  public func cancel() {
    if let timer { thread.cancel(timer) }
    timer = nil
  }
}
