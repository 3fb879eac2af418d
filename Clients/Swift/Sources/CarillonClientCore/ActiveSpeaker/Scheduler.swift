public import Foundation

/// A scheduler that repeats its work between `start` and `stop`.
public protocol Scheduler: AnyObject {
  /// Starts the scheduler. Has no effect while the scheduler runs.
  func start()

  /// Stops the scheduler. Has no effect if the scheduler is already stopped. A stopped scheduler
  /// can start again.
  func stop()
}

/// A scheduler that calls its callback at a fixed interval on a global queue. The first call
/// follows one interval after `start`.
///
/// `@unchecked Sendable` because the lock guards the timer, its only mutable state.
public final class IntervalScheduler: NSObject, Scheduler, @unchecked Sendable {
  private let interval: DispatchTimeInterval
  private let callback: @Sendable () -> Void
  private let lock = NSLock()
  private var timer: (any DispatchSourceTimer)?

  /// Creates a stopped scheduler.
  ///
  /// - Parameters:
  ///   - intervalMs: The interval between two calls, in milliseconds; at least 1.
  ///   - callback: Runs on a global queue.
  public init(intervalMs: Int, callback: @escaping @Sendable () -> Void) {
    interval = .milliseconds(max(intervalMs, 1))
    self.callback = callback
  }

  deinit { timer?.cancel() }

  public func start() {
    lock.withLock {
      guard timer == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: .global())
      timer.schedule(deadline: .now() + interval, repeating: interval)
      timer.setEventHandler(handler: callback)
      timer.resume()
      self.timer = timer
    }
  }

  public func stop() {
    lock.withLock {
      timer?.cancel()
      timer = nil
    }
  }
}
