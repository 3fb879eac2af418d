import Bus
import MeetingModel

/// What connections without a session may cost: a burst of requests that are looked at, then short
/// refusals.
///
/// A router cannot hang up on one peer, so that a flood from a connection that has no session is
/// read, counted and refused before anything is asked of the store.
struct UnauthenticatedLimits {
  private var buckets: [Route: (bucket: TokenBucket, last: ContinuousClock.Instant)] = [:]

  private static let limit = RateLimit(perSecond: 10, burst: 100)
  private static let memory = Duration.seconds(30)

  /// Whether another request of this connection is worth an answer.
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
