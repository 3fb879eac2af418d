/// A resettable timer of a thread, which uses it only on that thread.
public final class ThreadTimer {
  private let thread: SocketThread
  private var timer: TimerID?

  /// Creates an alarm that is not set. Any thread may call this.
  public init(on thread: SocketThread) { self.thread = thread }

  /// Whether the alarm is set and has yet to fire.
  public var isSet: Bool { timer != nil }

  /// Calls `body` once after `delay`, and cancels the previous setting.
  ///
  /// - Parameter body: The closure, kept until it was called or cancelled; it may set the alarm
  ///   again. In an actor it captures `self` strongly: with `unowned`, Swift 6.3 rejects
  ///   `assumeIsolated` ("pattern that the region-based isolation checker does not understand").
  public func set(after delay: Duration, _ body: @escaping () -> Void) {
    cancel()
    timer = thread.schedule(after: delay) { [self] in
      timer = nil
      body()
    }
  }

  /// Sets the alarm unless it is set already.
  public func setUnlessSet(after delay: Duration, _ body: @escaping () -> Void) {
    if !isSet { set(after: delay, body) }
  }

  /// Cancels the alarm; has no effect if it is not set.
  public func cancel() {
    if let timer { thread.cancel(timer) }
    timer = nil
  }
}
