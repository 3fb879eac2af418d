/// A detector that reports when a running camera delivers no frames. The detector is a value: the
/// caller passes in the time.
struct CaptureStallDetector: Sendable {
  /// A change to report.
  enum Change: Equatable, Sendable {
    case interrupted
    case resumed
  }

  private let patienceNs: UInt64
  private var lastNs: UInt64
  private var isInterrupted = false

  /// Creates a detector. The maximum time without a frame is 1 s, or the time of five frames if
  /// this time is longer.
  ///
  /// - Parameters:
  ///   - framesPerSecond: The requested rate of the camera; 1 or more.
  ///   - now: The time of the monotonic clock, in nanoseconds, as in all methods of this type.
  init(framesPerSecond: Int, startedAt now: UInt64) {
    patienceNs = max(1_000_000_000, 5_000_000_000 / UInt64(max(framesPerSecond, 1)))
    lastNs = now
  }

  /// Records a frame, and returns the changes in order.
  mutating func frameCame(at now: UInt64) -> [Change] {
    let changes = look(at: now)
    lastNs = max(now, lastNs)
    guard isInterrupted else { return changes }
    isInterrupted = false
    return changes + [.resumed]
  }

  /// Checks the elapsed time, and returns the changes.
  mutating func look(at now: UInt64) -> [Change] {
    guard !isInterrupted, now > lastNs, now - lastNs > patienceNs else { return [] }
    isInterrupted = true
    return [.interrupted]
  }
}
