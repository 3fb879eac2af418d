import Bus
import MeetingModel

/// The rate limit of connections without a session. The gateway serves a burst of requests, and
/// rejects further requests.
///
/// A rejected request does not reach the store. The listener closes a connection after too many
/// rejections.
struct UnauthenticatedLimits {
  private var buckets: [RoutingID: (bucket: TokenBucket, last: ContinuousClock.Instant)] = [:]

  private static let limit = RateLimit(perSecond: 10, burst: 100)
  private static let memory = Duration.seconds(30)

  /// Returns whether the gateway serves another request of this connection.
  mutating func admit(_ route: RoutingID, now: ContinuousClock.Instant) -> Bool {
    var entry = buckets[route] ?? (TokenBucket(Self.limit, now: now), now)
    defer { buckets[route] = entry }
    entry.last = now
    return entry.bucket.take(now: now)
  }

  mutating func forgetOld(now: ContinuousClock.Instant) {
    buckets = buckets.filter { now - $0.value.last < Self.memory }
  }
}
