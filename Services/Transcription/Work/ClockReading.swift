/// The present time, on the steady clock and as the time of day.
struct ClockReading: Sendable, Hashable {
  let instant: ContinuousClock.Instant

  /// The time of day, in milliseconds since 1970-01-01T00:00:00Z.
  let milliseconds: UInt64
}
