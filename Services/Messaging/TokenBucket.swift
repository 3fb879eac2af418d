import MeetingModel

/// A rate limit with a burst. Tokens arrive at a constant rate, and each request takes one token.
///
/// The type counts in thousandths of a token, so that each millisecond adds an exact amount.
struct TokenBucket: Hashable, Sendable {
  private let limit: RateLimit
  private var level: UInt64
  private var updatedAtMs: UInt64

  private static let token: UInt64 = 1_000

  /// Creates a full bucket.
  ///
  /// Times are in milliseconds, and may decrease from one call to the next.
  init(_ limit: RateLimit, at now: UInt64) {
    self.limit = limit
    level = UInt64(limit.burst) * Self.token
    updatedAtMs = now
  }

  /// Takes a token.
  ///
  /// - Returns: `nil` if there was a token; otherwise the time until the next token, in
  ///   milliseconds.
  mutating func take(at now: UInt64) -> UInt64? {
    level = level(at: now)
    updatedAtMs = max(updatedAtMs, now)
    guard level < Self.token else {
      level -= Self.token
      return nil
    }
    let flow = UInt64(limit.perSecond)
    return (Self.token - level + flow - 1) / flow
  }

  /// Returns whether the bucket is full.
  func isFull(at now: UInt64) -> Bool { level(at: now) == capacity }

  private var capacity: UInt64 { UInt64(limit.burst) * Self.token }

  private func level(at now: UInt64) -> UInt64 {
    guard now > updatedAtMs else { return level }
    let (flow, overflows) = (now - updatedAtMs).multipliedReportingOverflow(
      by: UInt64(limit.perSecond))
    return overflows ? capacity : min(capacity, level + flow)
  }
}
