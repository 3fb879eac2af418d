/// Now, on the clock that never jumps and on the one that people read.
struct Moment: Sendable, Hashable {
  let instant: ContinuousClock.Instant

  /// Milliseconds since 1970-01-01T00:00:00Z.
  let milliseconds: UInt64
}
