/// One timer of a thread that is set, set anew and cancelled. Lives on that thread.
public final class Alarm {
  private let thread: SocketThread
  private var timer: TimerID?

  /// An alarm that is not set. It may be made on any thread.
  public init(on thread: SocketThread) { self.thread = thread }

  /// Whether its time is still to come.
  public var isSet: Bool { timer != nil }

  /// Calls `body` once, not before `delay` has passed. What was set before is cancelled.
  ///
  /// - Parameter body: It may set the alarm anew. It is kept until it was called or is cancelled.
  ///   In an actor it captures `self` as it is: with `unowned` Swift 6.3 gives up on
  ///   `assumeIsolated` ("pattern that the region-based isolation checker does not understand").
  public func set(after delay: Duration, _ body: @escaping () -> Void) {
    cancel()
    timer = thread.schedule(after: delay) { [self] in
      timer = nil
      body()
    }
  }

  /// The same, unless the alarm is set: then nothing changes.
  public func setUnlessSet(after delay: Duration, _ body: @escaping () -> Void) {
    if !isSet { set(after: delay, body) }
  }

  /// Nothing is called any more. One that is not set is no error.
  public func cancel() {
    if let timer { thread.cancel(timer) }
    timer = nil
  }
}
