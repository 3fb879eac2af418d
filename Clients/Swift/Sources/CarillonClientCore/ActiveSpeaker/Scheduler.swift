public import Foundation

/// Something that does its work again and again between `start` and `stop`.
public protocol Scheduler: AnyObject {
  /// Begins; without effect while running.
  func start()

  /// Ends; without effect while stopped. It may be started again.
  func stop()
}

/// Calls back at a fixed interval on a global queue; the first time one interval after `start`.
///
/// `@unchecked Sendable` because the timer, its only mutable state, is read and set under the lock.
public final class IntervalScheduler: NSObject, Scheduler, @unchecked Sendable {
  private let interval: DispatchTimeInterval
  private let callback: @Sendable () -> Void
  private let lock = NSLock()
  private var timer: (any DispatchSourceTimer)?

  /// - Parameters:
  ///   - intervalMs: Milliseconds between two calls; at least 1.
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
