import VirtualTime

/// A clock that only a test moves. While the clock exists, gettimeofday(2) returns the virtual time
/// on the test's thread, so OpenSSL uses the virtual time. After the release of the clock,
/// gettimeofday(2) returns the real time again. A thread has at most one such clock at a time.
final class VirtualClock {
  private(set) var now: ContinuousClock.Instant
  private let start: ContinuousClock.Instant

  /// The time 2026-01-01T00:00:00Z, in seconds since 1970.
  private static let epoch: Int64 = 1_767_225_600

  init() {
    start = .now
    now = start
    set()
  }

  deinit { virtual_time_set(0) }

  /// The time since the creation of the clock.
  var elapsed: Duration { now - start }

  func advance(to instant: ContinuousClock.Instant) {
    precondition(instant >= now, "Time does not run backwards.")
    now = instant
    set()
  }

  func advance(by duration: Duration) { advance(to: now + duration) }

  private func set() {
    virtual_time_set(Self.epoch * 1_000_000 + elapsed / .microseconds(1))
  }
}

extension Duration {
  /// Returns the number of whole units in a duration.
  fileprivate static func / (duration: Duration, unit: Duration) -> Int64 {
    let parts = duration.components
    let nanoseconds = parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
    return nanoseconds / (unit.components.attoseconds / 1_000_000_000)
  }
}
