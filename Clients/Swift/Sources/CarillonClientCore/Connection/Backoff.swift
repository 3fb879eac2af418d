/// The delay before the next attempt. The delay doubles with each attempt, and has jitter.
struct Backoff: Sendable {
  private var next: Duration = .milliseconds(50)

  private static let longest = Duration.seconds(2)

  /// Returns the next delay, at most 2 s.
  ///
  /// The delay is a random value between half of the current maximum delay and the current maximum
  /// delay. So clients do not reconnect at the same time.
  mutating func delay() -> Duration {
    defer { next = min(next * 2, Self.longest) }
    return next * Double.random(in: 0.5...1)
  }
}
