import Bus
import MeetingModel

/// The rate limit of connections without a session: a burst of requests is served, further ones are
/// rejected.
///
/// The store is not called for a rejected request. The listener ends a connection after too many
/// rejections.
struct UnauthenticatedLimits {
  private var buckets: [Route: (bucket: TokenBucket, last: ContinuousClock.Instant)] = [:]

  private static let limit = RateLimit(perSecond: 10, burst: 100)
  private static let memory = Duration.seconds(30)

  /// Returns whether another request of this connection is served.
  mutating func admit(_ route: Route, now: ContinuousClock.Instant) -> Bool {
    var entry = buckets[route] ?? (TokenBucket(Self.limit, now: now), now)
    defer { buckets[route] = entry }
    entry.last = now
    return entry.bucket.take(now: now)
  }

  mutating func forgetOld(now: ContinuousClock.Instant) {
    buckets = buckets.filter { now - $0.value.last < Self.memory }
  }
}
