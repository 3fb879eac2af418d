/// The server's time, estimated from the server's last report.
struct ServerClock: Sendable {
  private let said: Int64
  private let saidAt: ContinuousClock.Instant

  /// - Parameter timeMs: The server's time at `now`, in milliseconds since 1970.
  init(timeMs: UInt64, at now: ContinuousClock.Instant) {
    said = Int64(clamping: timeMs)
    saidAt = now
  }

  /// Returns the server's time, in milliseconds since 1970.
  func timeMs(at now: ContinuousClock.Instant) -> Int64 {
    said + Int64((now - saidAt) / .milliseconds(1))
  }
}
