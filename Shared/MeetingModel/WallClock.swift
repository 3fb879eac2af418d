internal import Glibc

/// The time of day for events, message logs and stores.
///
/// The time may jump when an operator or NTP sets the clock. Measure durations with
/// `ContinuousClock`.
public enum WallClock {
  /// The time in milliseconds since 1970-01-01T00:00:00Z.
  public static var nowMs: UInt64 { nowUs / 1_000 }

  /// The time in microseconds since 1970-01-01T00:00:00Z.
  public static var nowUs: UInt64 {
    var time = timespec()
    // CLOCK_REALTIME always exists (clock_gettime(2)); this type converts times before 1970 to 0.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_nsec / 1_000)
  }
}
