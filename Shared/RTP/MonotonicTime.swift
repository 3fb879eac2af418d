/// A time of a monotonic clock, in microseconds since an arbitrary origin.
///
/// Code that handles packets reads no clock; the caller passes in the time. Integer microseconds
/// keep the arithmetic for each packet cheap.
public struct MonotonicTime: Hashable, Sendable {
  /// Microseconds since the origin.
  public var microseconds: Int64

  /// Creates a time from microseconds since the origin.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Creates a time from a duration.
  ///
  /// - Parameter elapsed: The duration since the origin.
  public init(_ elapsed: Duration) {
    microseconds = elapsed.wholeUs
  }

  /// Returns the time since `earlier`, in microseconds; negative if this time is before `earlier`.
  public func microseconds(since earlier: MonotonicTime) -> Int64 {
    microseconds &- earlier.microseconds
  }

  /// Returns the time `count` microseconds after this time; before this time if `count` is
  /// negative.
  public func advanced(byUs count: Int64) -> MonotonicTime {
    MonotonicTime(microseconds: microseconds &+ count)
  }

  /// Returns the time that is `duration` after `time`.
  public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    time.advanced(byUs: duration.wholeUs)
  }

  /// Returns the duration from `earlier` to `later`; negative if `later` is before `earlier`.
  public static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
    .microseconds(later.microseconds(since: earlier))
  }
}

extension MonotonicTime: Comparable {
  public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension Duration {
  /// The duration in whole microseconds, limited to 292,000 years.
  public var wholeUs: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflows else { return seconds < 0 ? .min : .max }
    return product &+ attoseconds / 1_000_000_000_000
  }
}
