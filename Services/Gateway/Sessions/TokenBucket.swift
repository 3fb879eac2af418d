import MeetingModel

/// Tokens that flow in steadily and are taken one by one: a rate with a burst.
struct TokenBucket {
  private let limit: RateLimit
  private var tokens: Double
  private var last: ContinuousClock.Instant

  /// A full bucket.
  init(_ limit: RateLimit, now: ContinuousClock.Instant) {
    self.limit = limit
    tokens = Double(limit.burst)
    last = now
  }

  /// Takes a token, or answers false when there is none.
  mutating func take(now: ContinuousClock.Instant) -> Bool {
    let elapsed = (now - last) / .seconds(1)
    last = now
    tokens = min(Double(limit.burst), tokens + elapsed * Double(limit.perSecond))
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
