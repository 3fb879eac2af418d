/// Detects that this process was stalled, so that it does not blame its own stall on others'
/// silence.
///
/// A process stalls while it is stopped (`SIGSTOP`), its machine is suspended, or it gets no
/// processor time. Data that arrived during the stall is still unread afterwards. Code that
/// measures the silence of others keeps one watch. The code calls ``look(at:)`` before each
/// judgement and at least once per interval. It then adds the result to the start of each silence.
/// The clock must advance while the machine is suspended, as `ContinuousClock` does.
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
  ///   - tolerance: How late a look may be without counting as a stall.
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
  /// - Returns: The whole time since the last look if this look is late, otherwise zero. None of
  ///   that time may count as silence, because the watch does not know when the stall began. Each
  ///   stall is returned once.
  public mutating func look(at now: ContinuousClock.Instant) -> Duration {
    let gap = now - lastLook
    lastLook = max(lastLook, now)
    return gap > interval + tolerance ? gap : .zero
  }
}
