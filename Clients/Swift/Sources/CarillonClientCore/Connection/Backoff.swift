/// How long to wait before the next attempt: twice as long each time, with jitter.
struct Backoff: Sendable {
  private var next: Duration = .milliseconds(50)

  private static let longest = Duration.seconds(2)

  /// The next wait, up to 2 s, spread over its upper half so that clients do not come back
  /// together.
  mutating func delay() -> Duration {
    defer { next = min(next * 2, Self.longest) }
    return next * Double.random(in: 0.5...1)
  }
}
