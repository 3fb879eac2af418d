/// What time the server has, from what it said last.
struct ServerClock: Sendable {
  private let said: Int64
  private let saidAt: ContinuousClock.Instant

  /// - Parameter timeMs: Milliseconds since 1970.
  init(timeMs: UInt64, at now: ContinuousClock.Instant) {
    said = Int64(clamping: timeMs)
    saidAt = now
  }

  /// Milliseconds since 1970.
  func timeMs(at now: ContinuousClock.Instant) -> Int64 {
    said + Int64((now - saidAt) / .milliseconds(1))
  }
}
