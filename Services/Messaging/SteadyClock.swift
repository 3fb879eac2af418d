/// The time of day that only moves forward, in milliseconds since 1970-01-01T00:00:00Z.
///
/// It is set once and then follows the machine's steady clock: when somebody sets the time of day
/// while the process runs, no lifetime changes and no timestamp goes back.
struct SteadyClock: Hashable, Sendable {
  private let origin: UInt64
  private let start: ContinuousClock.Instant

  /// - Parameter time: What it shows at `start`.
  init(showing time: UInt64, at start: ContinuousClock.Instant) {
    (origin, self.start) = (time, start)
  }

  func time(at instant: ContinuousClock.Instant) -> UInt64 {
    let (seconds, attoseconds) = (instant - start).components
    let elapsed = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    return origin + UInt64(max(0, elapsed))
  }
}
