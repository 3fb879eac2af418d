/// Detects stalls of this process, so that the process does not mistake its own stall for the
/// silence of other processes.
///
/// A process stalls while it is stopped (`SIGSTOP`), its machine is suspended, or it gets no
/// processor time. Data that arrived during a stall is still unread after the stall. Code that
/// measures the silence of other processes needs one detector. Such code calls ``look(at:)`` before
/// each decision about silence, and at least once per interval. The code then adds the result to
/// the start of each silence. The clock must advance during a suspension of the machine, as
/// `ContinuousClock` does.
public struct ProcessStallDetector: Hashable, Sendable {
  /// The longest time between two calls of ``look(at:)`` in normal operation.
  public let interval: Duration

  /// The maximum lateness of a call of ``look(at:)`` in a busy process that does not stall.
  public let tolerance: Duration

  private var lastLook: ContinuousClock.Instant

  /// Creates a detector that begins now.
  ///
  /// - Parameters:
  ///   - interval: The longest time between calls of ``look(at:)``; more frequent calls are
  ///     harmless.
  ///   - tolerance: The maximum lateness of a call for which the detector reports no stall.
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

  /// Returns the length of the stall since the last call of this method.
  ///
  /// - Returns: The whole time since the last call if this call is late, otherwise zero. The caller
  ///   must not count any of that time as silence, because the detector does not know when the
  ///   stall began. The method returns each stall once.
  public mutating func look(at now: ContinuousClock.Instant) -> Duration {
    let gap = now - lastLook
    lastLook = max(lastLook, now)
    return gap > interval + tolerance ? gap : .zero
  }
}
