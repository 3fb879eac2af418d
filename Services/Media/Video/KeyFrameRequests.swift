import RTP

/// When to ask a publisher for a key frame of one layer.
///
/// Whoever needs one is served by the same key frame, so one request at a time is under way; it is
/// repeated every `interval` (500 ms) until the key frame comes. After it has come, the next one is
/// asked for no earlier than `interval` after the last request, or `freshInterval` (100 ms) if
/// somebody gets nothing without it: who just joined, resumed or changed layers must not wait for
/// the clock of the others.
struct KeyFrameRequests: Sendable {
  private let interval: Int64
  private let freshInterval: Int64
  private var lastSent: MediaTime?

  /// When the request goes out, or again. `nil`: nobody needs one.
  private(set) var due: MediaTime?

  /// Sent since the beginning.
  private(set) var count = 0

  init(interval: Duration, freshInterval: Duration) {
    self.interval = interval.wholeUs
    self.freshInterval = freshInterval.wholeUs
  }

  /// Somebody needs a key frame.
  ///
  /// - Parameter isFresh: It gets nothing until then.
  mutating func need(isFresh: Bool, at now: MediaTime) {
    let wait = isFresh ? freshInterval : interval
    let earliest = lastSent.map { max(now, $0.advanced(byUs: wait)) } ?? now
    due = due.map { min($0, earliest) } ?? earliest
    // A request that is under way serves all.
    if isUnderWay, let lastSent { due = lastSent.advanced(byUs: interval) }
  }

  private var isUnderWay = false

  /// - Returns: Whether to ask now.
  mutating func take(at now: MediaTime) -> Bool {
    guard let due, due <= now else { return false }
    lastSent = now
    isUnderWay = true
    self.due = now.advanced(byUs: interval)
    count += 1
    return true
  }

  /// A key frame began.
  mutating func keyFrameCame() {
    isUnderWay = false
    due = nil
  }

  /// Nobody waits any more.
  mutating func cancel() {
    due = nil
    isUnderWay = false
  }
}
