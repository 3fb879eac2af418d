import MeetingModel

/// A rate limit that permits bursts: the bucket gets tokens at a constant rate, and each request
/// takes one token.
struct TokenBucket {
  private let limit: RateLimit
  private var tokens: Double
  private var last: ContinuousClock.Instant

  /// Makes a full bucket.
  init(_ limit: RateLimit, now: ContinuousClock.Instant) {
    self.limit = limit
    tokens = Double(limit.burst)
    last = now
  }

  /// Takes a token. Returns `false` if the bucket is empty.
  mutating func take(now: ContinuousClock.Instant) -> Bool {
    let elapsed = (now - last) / .seconds(1)
    last = now
    tokens = min(Double(limit.burst), tokens + elapsed * Double(limit.perSecond))
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
