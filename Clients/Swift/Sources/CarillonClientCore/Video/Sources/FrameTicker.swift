import Dispatch
import Foundation

/// A timer that calls a closure at a steady rate on the timer's own queue, with the number of each
/// call.
///
/// `@unchecked Sendable` because this type reads and sets the timer under the lock.
package final class FrameTicker: @unchecked Sendable {
  private let queue = DispatchQueue(label: "carillon.video.source")
  private let lock = NSLock()
  private var timer: (any DispatchSourceTimer)?

  package init() {}

  deinit { timer?.cancel() }

  /// Starts the timer, and ends an earlier run of the timer. The first call has the number 0.
  package func start(framesPerSecond: Int, _ tick: @escaping @Sendable (_ number: Int) -> Void) {
    lock.withLock {
      timer?.cancel()
      let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
      let begin = DispatchTime.now()
      let interval = 1_000_000_000 / max(1, framesPerSecond)
      timer.schedule(deadline: begin, repeating: .nanoseconds(interval), leeway: .milliseconds(1))
      timer.setEventHandler {
        // The number of a frame follows from the clock. If the timer skips a call, a number is
        // missing.
        let elapsed = DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds
        tick(Int(elapsed) / interval)
      }
      timer.resume()
      self.timer = timer
    }
  }

  /// Stops the timer. Returns whether the timer was running.
  @discardableResult
  package func stop() -> Bool {
    lock.withLock {
      defer { timer = nil }
      timer?.cancel()
      return timer != nil
    }
  }
}
