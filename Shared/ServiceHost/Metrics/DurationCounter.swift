internal import Synchronization

/// A total of time in seconds, such as the time of dropped speech.
public final class DurationCounter: Sendable {
  private let nanoseconds = Atomic<UInt64>(0)

  init() {}

  /// Adds a duration. A negative duration adds nothing.
  public func increment(by duration: Duration) {
    nanoseconds.wrappingAdd(duration.clampedNanoseconds, ordering: .relaxed)
  }

  /// The total since the process started, in seconds.
  public var seconds: Double {
    Double(nanoseconds.load(ordering: .relaxed)) / 1e9
  }
}

extension Duration {
  /// The duration in nanoseconds: 0 for a negative duration, and the maximum for a duration that
  /// does not fit.
  var clampedNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .max : whole &+ UInt64(attoseconds) / 1_000_000_000
  }
}
