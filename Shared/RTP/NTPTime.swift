/// A point in time as sender reports carry it: seconds since 1900 and 2⁻³² fractions of one.
public struct NTPTime: Hashable, Sendable {
  /// Seconds in the high 32 bits, fractions in the low ones.
  public var rawValue: UInt64

  /// Makes a point in time from its 64 bits.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// - Parameter microseconds: Since 1970-01-01T00:00:00Z.
  public init(microsecondsSince1970 microseconds: UInt64) {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    rawValue = (seconds &+ 2_208_988_800) << 32 | (rest << 32) / 1_000_000
  }

  /// The middle 32 bits, which reports echo: units of 1/65,536 s.
  public var middle: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 16) }

  /// A time span in units of 1/65,536 s, as reports have it.
  public static func units(microseconds: Int64) -> UInt32 {
    guard microseconds > 0 else { return 0 }
    return UInt32(
      clamping: microseconds.multipliedReportingOverflow(by: 65_536).partialValue / 1_000_000)
  }

  /// The round trip that a report block tells its reader (RFC 3550, section 6.4.1).
  ///
  /// - Parameters:
  ///   - block: Of a report that just arrived.
  ///   - now: By the clock that the reader's own sender reports are stamped by.
  /// - Returns: In microseconds. `nil` if the other side has seen no sender report, or if the
  ///   numbers contradict each other.
  public static func roundTrip(_ block: ReportBlock, at now: NTPTime) -> Int64? {
    guard block.lastSenderReport != 0 else { return nil }
    let units = now.middle &- block.lastSenderReport &- block.delaySinceLastSenderReport
    // What is negative wraps; half the circle is nine hours.
    guard units < 1 << 31 else { return nil }
    return Int64(units) * 1_000_000 / 65_536
  }
}
