import Dispatch
import Foundation

/// Repeats the last frame when no frame arrived for 200 ms. The timestamp of the repeated frame is
/// later by the elapsed time.
///
/// `@unchecked Sendable` because the lock guards all mutable state.
final class LastFrameRepeater: @unchecked Sendable {
  private let deliver: @Sendable (VideoFrame) -> Void
  private let nowNs: @Sendable () -> UInt64
  private let makeScheduler: @Sendable (@escaping @Sendable () -> Void) -> any Scheduler
  private let lock = NSLock()
  private var scheduler: (any Scheduler)?
  private var last: (frame: VideoFrame, atNs: UInt64)?
  private var isStopped = false

  /// The longest interval between two frames, in milliseconds.
  static let intervalMs = 200

  /// - Parameters:
  ///   - nowNs: Returns the time of the monotonic clock, in nanoseconds.
  ///   - makeScheduler: Creates the scheduler that checks every ``intervalMs``.
  ///   - deliver: Receives each new or repeated frame.
  init(
    nowNs: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds },
    makeScheduler: @escaping @Sendable (@escaping @Sendable () -> Void) -> any Scheduler = {
      IntervalScheduler(intervalMs: intervalMs, callback: $0)
    },
    deliver: @escaping @Sendable (VideoFrame) -> Void
  ) {
    self.deliver = deliver
    self.nowNs = nowNs
    self.makeScheduler = makeScheduler
  }

  func take(_ frame: VideoFrame) {
    let now = nowNs()
    let isOpen = lock.withLock {
      guard !isStopped else { return false }
      last = (frame, now)
      if scheduler == nil {
        scheduler = makeScheduler { [weak self] in self?.look() }
        scheduler?.start()
      }
      return true
    }
    if isOpen { deliver(frame) }
  }

  /// Stops the delivery permanently.
  func stop() {
    lock.withLock {
      isStopped = true
      last = nil
      scheduler?.stop()
      scheduler = nil
    }
  }

  private func look() {
    let now = nowNs()
    let again = lock.withLock { () -> VideoFrame? in
      guard let last, now > last.atNs,
        now - last.atNs >= UInt64(Self.intervalMs) * 1_000_000
      else { return nil }
      let frame = VideoFrame(
        timestampNs: last.frame.timestampNs + Int64(now - last.atNs), rotation: last.frame.rotation,
        buffer: last.frame.buffer)
      self.last = (frame, now)
      return frame
    }
    if let again { deliver(again) }
  }
}
