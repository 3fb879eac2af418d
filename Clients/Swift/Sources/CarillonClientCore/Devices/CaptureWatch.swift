/// Notices when a camera that runs gives no pictures. A value: the caller says what time it is.
struct CaptureWatch: Sendable {
  /// What there is to tell, in order.
  enum Change: Equatable, Sendable {
    case interrupted
    case resumed
  }

  private let patienceNs: UInt64
  private var lastNs: UInt64
  private var isInterrupted = false

  /// The first picture, and each next one, may take a second, or five frames of a slow camera.
  ///
  /// - Parameters:
  ///   - framesPerSecond: What the camera was asked for; 1 or more.
  ///   - now: Of the monotonic clock, in nanoseconds, as everywhere here.
  init(framesPerSecond: Int, startedAt now: UInt64) {
    patienceNs = max(1_000_000_000, 5_000_000_000 / UInt64(max(framesPerSecond, 1)))
    lastNs = now
  }

  /// A picture came.
  mutating func frameCame(at now: UInt64) -> [Change] {
    let changes = look(at: now)
    lastNs = max(now, lastNs)
    guard isInterrupted else { return changes }
    isInterrupted = false
    return changes + [.resumed]
  }

  /// Some time has passed.
  mutating func look(at now: UInt64) -> [Change] {
    guard !isInterrupted, now > lastNs, now - lastNs > patienceNs else { return [] }
    isInterrupted = true
    return [.interrupted]
  }
}
