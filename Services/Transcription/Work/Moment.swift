/// Now, on the clock that never jumps and on the one that people read.
struct Moment: Sendable, Hashable {
  let instant: ContinuousClock.Instant

  /// Epoch time.
  let milliseconds: UInt64
}
