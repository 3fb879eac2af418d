/// A time in the format of sender reports: seconds since 1900 with fractions of 2⁻³² s.
public struct NTPTime: Hashable, Sendable {
  /// The seconds in the high 32 bits, and the fractions in the low 32 bits.
  public var rawValue: UInt64

  /// Creates a time from its 64 bits.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Creates a time from a Unix time.
  ///
  /// - Parameter microseconds: The microseconds since 1970-01-01T00:00:00Z.
  public init(microsecondsSince1970 microseconds: UInt64) {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    rawValue = (seconds &+ 2_208_988_800) << 32 | (rest << 32) / 1_000_000
  }

  /// The middle 32 bits, in units of 1/65,536 s. Report blocks repeat these bits (RFC 3550, section
  /// 6.4.1).
  public var middle: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 16) }

  /// Converts a time span to the units of reports, 1/65,536 s.
  public static func units(microseconds: Int64) -> UInt32 {
    guard microseconds > 0 else { return 0 }
    return UInt32(
      clamping: microseconds.multipliedReportingOverflow(by: 65_536).partialValue / 1_000_000)
  }

  /// Returns the round trip computed from a report block (RFC 3550, section 6.4.1).
  ///
  /// - Parameters:
  ///   - block: A block of a report that has just arrived.
  ///   - now: The time by the clock of this side's sender reports.
  /// - Returns: The round trip in microseconds; `nil` if the other side has received no sender
  ///   report, or if the numbers are inconsistent.
  public static func roundTrip(_ block: ReportBlock, at now: NTPTime) -> Int64? {
    guard block.lastSenderReport != 0 else { return nil }
    let units = now.middle &- block.lastSenderReport &- block.delaySinceLastSenderReport
    // A negative value wraps to at least 2³¹. Half of the range is nine hours.
    guard units < 1 << 31 else { return nil }
    return Int64(units) * 1_000_000 / 65_536
  }
}
