/// A point in time of a steady clock, in microseconds since an origin that its user chose.
///
/// What handles packets knows no clock: who reads one passes the time in. Whole microseconds in a
/// machine word keep the arithmetic per packet cheap.
public struct MediaTime: Hashable, Sendable {
  /// Microseconds since the origin.
  public var microseconds: Int64

  /// Makes a point in time from microseconds since the origin.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// - Parameter elapsed: Since the origin.
  public init(_ elapsed: Duration) {
    microseconds = elapsed.wholeUs
  }

  /// How long after `earlier` it is; negative before it.
  public func microseconds(since earlier: MediaTime) -> Int64 {
    microseconds &- earlier.microseconds
  }

  /// The point in time so many microseconds later; earlier for a negative count.
  public func advanced(byUs count: Int64) -> MediaTime {
    MediaTime(microseconds: microseconds &+ count)
  }

  /// The point in time that much later.
  public static func + (time: MediaTime, duration: Duration) -> MediaTime {
    time.advanced(byUs: duration.wholeUs)
  }

  /// How long after the second the first is; negative before it.
  public static func - (later: MediaTime, earlier: MediaTime) -> Duration {
    .microseconds(later.microseconds(since: earlier))
  }
}

extension MediaTime: Comparable {
  public static func < (left: MediaTime, right: MediaTime) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension Duration {
  /// The duration in whole microseconds; one of more than 292,000 years is cut to that.
  public var wholeUs: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflows else { return seconds < 0 ? .min : .max }
    return product &+ attoseconds / 1_000_000_000_000
  }
}
