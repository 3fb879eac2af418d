/// Selects the dropped results that the service logs: one for each reason in each ``interval``.
///
/// An engine may repeat the same fault many times a second.
struct RejectionLogThrottle: Sendable {
  /// The minimum time between two log lines for one reason.
  static let interval = Duration.seconds(60)

  private var lines: [ResultDropReason: Line] = [:]

  private struct Line {
    var at: ContinuousClock.Instant
    var unsaid = 0
  }

  /// Counts a dropped result.
  ///
  /// - Returns: The number of dropped results since the last log line, if a line is due; otherwise
  ///   `nil`.
  mutating func note(_ reason: ResultDropReason, at now: ContinuousClock.Instant) -> Int? {
    let unsaid = (lines[reason]?.unsaid ?? 0) + 1
    if let line = lines[reason], now - line.at < Self.interval {
      lines[reason]?.unsaid = unsaid
      return nil
    }
    lines[reason] = Line(at: now)
    return unsaid
  }
}
