/// A clock that shows the time of day, in milliseconds since 1970-01-01T00:00:00Z. The time that it
/// shows never decreases.
///
/// The service sets the clock once. The clock then follows the steady clock of the machine. A
/// change of the system time during the process affects neither lifetimes nor timestamps.
struct MonotonicWallClock: Hashable, Sendable {
  private let origin: UInt64
  private let start: ContinuousClock.Instant

  /// - Parameter time: The time at `start`.
  init(showing time: UInt64, at start: ContinuousClock.Instant) {
    (origin, self.start) = (time, start)
  }

  func time(at instant: ContinuousClock.Instant) -> UInt64 {
    let (seconds, attoseconds) = (instant - start).components
    let elapsed = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    return origin + UInt64(max(0, elapsed))
  }
}
