/// Detects that this process was stalled, so that it does not mistake its own silence for that of
/// others.
///
/// A process stalls while it is stopped (`SIGSTOP`), its machine is suspended, or it gets no
/// processor. It has not yet read data that arrived in the meantime. Code that measures the silence
/// of others keeps one watch. It calls ``look(at:)`` before each judgement and at least once per
/// interval, and moves all start times of silence by the result. The clock must continue in a
/// suspended machine, as `ContinuousClock` does.
public struct StallWatch: Hashable, Sendable {
  /// The longest time between two looks in normal operation.
  public let interval: Duration

  /// The lateness of a look that is normal in a busy process.
  public let tolerance: Duration

  private var lastLook: ContinuousClock.Instant

  /// Creates a watch that begins now.
  ///
  /// - Parameters:
  ///   - interval: The longest time between calls of ``look(at:)``; more frequent calls are
  ///     harmless.
  ///   - tolerance: The lateness of a look up to which it is no stall.
  public init(
    interval: Duration, tolerance: Duration = .milliseconds(500), at now: ContinuousClock.Instant
  ) {
    precondition(
      interval > .zero && tolerance >= .zero,
      "A watch looks at positive intervals and tolerates no negative delay.")
    self.interval = interval
    self.tolerance = tolerance
    lastLook = now
  }

  /// Returns the stall since the last look.
  ///
  /// - Returns: The whole time since the last look if this one is late, otherwise zero. None of
  ///   that time may count as silence, because the time of the stall within it is unknown. Each
  ///   stall is returned once.
  public mutating func look(at now: ContinuousClock.Instant) -> Duration {
    let gap = now - lastLook
    lastLook = max(lastLook, now)
    return gap > interval + tolerance ? gap : .zero
  }
}
