internal import Glibc

/// The time of day, as it is written into events, logs of messages and stores.
///
/// It may jump when an operator or NTP sets it. Durations are measured with `ContinuousClock`.
public enum WallClock {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public static var nowMs: UInt64 { nowUs / 1_000 }

  /// Microseconds since 1970-01-01T00:00:00Z.
  public static var nowUs: UInt64 {
    var time = timespec()
    // CLOCK_REALTIME always exists (clock_gettime(2)); before 1970 it is 1970.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_nsec / 1_000)
  }
}
