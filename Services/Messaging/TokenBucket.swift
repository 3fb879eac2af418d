import MeetingModel

/// Tokens that flow in steadily and are taken one by one: a rate with a burst.
///
/// Counts in thousandths of a token, so that whole milliseconds add up exactly.
struct TokenBucket: Hashable, Sendable {
  private let limit: RateLimit
  private var level: UInt64
  private var updatedAtMs: UInt64

  private static let token: UInt64 = 1_000

  /// A full bucket. Times are in milliseconds and need not rise.
  init(_ limit: RateLimit, at now: UInt64) {
    self.limit = limit
    level = UInt64(limit.burst) * Self.token
    updatedAtMs = now
  }

  /// Takes a token.
  ///
  /// - Returns: `nil`, or in how many milliseconds there can be one.
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

  /// Whether it is as good as a new one.
  func isFull(at now: UInt64) -> Bool { level(at: now) == capacity }

  private var capacity: UInt64 { UInt64(limit.burst) * Self.token }

  private func level(at now: UInt64) -> UInt64 {
    guard now > updatedAtMs else { return level }
    let (flow, overflows) = (now - updatedAtMs).multipliedReportingOverflow(
      by: UInt64(limit.perSecond))
    return overflows ? capacity : min(capacity, level + flow)
  }
}
