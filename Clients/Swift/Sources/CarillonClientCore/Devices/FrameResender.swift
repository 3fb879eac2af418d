import Dispatch
import Foundation

/// Keeps a still picture alive: when no frame came for 200 ms it gives the last one again, later by
/// the time that has passed.
///
/// `@unchecked Sendable` because everything that changes is read and set under the lock.
final class FrameResender: @unchecked Sendable {
  private let deliver: @Sendable (VideoFrame) -> Void
  private let nowNs: @Sendable () -> UInt64
  private let makeScheduler: @Sendable (@escaping @Sendable () -> Void) -> any Scheduler
  private let lock = NSLock()
  private var scheduler: (any Scheduler)?
  private var last: (frame: VideoFrame, atNs: UInt64)?
  private var isStopped = false

  /// A frame comes at least five times a second.
  static let intervalMs = 200

  /// - Parameters:
  ///   - nowNs: The monotonic clock.
  ///   - makeScheduler: Makes what looks every ``intervalMs``.
  ///   - deliver: Takes each frame, first or again.
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

  /// Ends sending for good.
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
