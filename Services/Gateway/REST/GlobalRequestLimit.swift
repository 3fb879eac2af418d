import MeetingModel
import Synchronization

/// The rate limit for the requests of all callers together.
final class GlobalRequestLimit: Sendable {
  private let bucket: Mutex<TokenBucket>

  init(_ limit: RateLimit, now: ContinuousClock.Instant = .now) {
    bucket = Mutex(TokenBucket(limit, now: now))
  }

  /// Counts one request.
  ///
  /// - Throws: `ThrottlingException` if the request exceeds the limit.
  func take(at now: ContinuousClock.Instant = .now) throws(RESTError) {
    guard bucket.withLock({ $0.take(now: now) }) else {
      throw RESTError(
        .throttling,
        "The gateway receives too many requests. Send this request again after a second.",
        retryAfter: 1)
    }
  }
}
