/// Notices that this process stood still, so that it does not take its own silence for that of
/// others.
///
/// A process stands still while it is stopped (`SIGSTOP`), its machine is suspended, or it gets no
/// processor. Nothing that was sent to it meanwhile has been read yet. Whoever counts how long
/// others are silent keeps one watch, tells it the present time before it judges and at least once
/// an interval, and moves every moment from which it counts silence by the answer: it listens
/// before it judges. The clock must go on in a suspended machine, as `ContinuousClock` does.
public struct StallWatch: Hashable, Sendable {
  /// How long at most two looks are apart while all is well.
  public let interval: Duration

  /// How much later than that a look may come in a busy process.
  public let tolerance: Duration

  private var lastLook: ContinuousClock.Instant

  /// A watch that begins now.
  ///
  /// - Parameters:
  ///   - interval: ``look(at:)`` is called at least so often; more often does no harm.
  ///   - tolerance: A look that is late by no more than this is no stall.
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

  /// Looks whether the process stood still since the last look.
  ///
  /// - Returns: The whole time since the last look if this one is late, and zero otherwise. None of
  ///   that time can be held against anybody, for when in it the process stopped is not known. Each
  ///   stall is answered once.
  public mutating func look(at now: ContinuousClock.Instant) -> Duration {
    let gap = now - lastLook
    lastLook = max(lastLook, now)
    return gap > interval + tolerance ? gap : .zero
  }
}
