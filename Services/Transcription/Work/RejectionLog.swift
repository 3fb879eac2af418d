/// Which dropped results get a line in the log: one for each reason in ``interval``, because an
/// engine may say the same thing wrong many times a second.
struct RejectionLog: Sendable {
  /// The shortest time between two lines for one reason.
  static let interval = Duration.seconds(60)

  private var lines: [DroppedResult: Line] = [:]

  private struct Line {
    var at: ContinuousClock.Instant
    var unsaid = 0
  }

  /// A result was dropped.
  ///
  /// - Returns: How many were since the last line, if there is to be another one; else `nil`.
  mutating func note(_ reason: DroppedResult, at now: ContinuousClock.Instant) -> Int? {
    let unsaid = (lines[reason]?.unsaid ?? 0) + 1
    if let line = lines[reason], now - line.at < Self.interval {
      lines[reason]?.unsaid = unsaid
      return nil
    }
    lines[reason] = Line(at: now)
    return unsaid
  }
}
