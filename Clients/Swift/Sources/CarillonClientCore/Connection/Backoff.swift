/// The delay before the next attempt; it doubles each time and has jitter.
struct Backoff: Sendable {
  private var next: Duration = .milliseconds(50)

  private static let longest = Duration.seconds(2)

  /// Returns the next delay, at most 2 s.
  ///
  /// It is random between half and full length, so that clients do not reconnect at the same time.
  mutating func delay() -> Duration {
    defer { next = min(next * 2, Self.longest) }
    return next * Double.random(in: 0.5...1)
  }
}
