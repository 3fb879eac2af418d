internal import Foundation

/// The time at which a request says that it was signed, to the second.
public struct SigningTime: Hashable, Sendable {
  /// `yyyymmddThhmmssZ`, in UTC.
  public let text: String

  /// Seconds since 1970-01-01T00:00:00Z.
  public let seconds: Int64

  /// `yyyymmdd`.
  public var date: String { String(text.prefix(8)) }

  /// A time that a clock shows.
  ///
  /// - Parameter seconds: Since 1970-01-01T00:00:00Z.
  public init(seconds: Int64) {
    self.init(Date(timeIntervalSince1970: TimeInterval(seconds)))
  }

  /// Reads the value of `X-Amz-Date`; `nil` unless it is a time in just this form.
  init?(stamp: String) {
    guard let date = try? Self.style.parse(stamp) else { return nil }
    self.init(date)
    // The parser is lenient, a signature is not.
    guard text == stamp else { return nil }
  }

  /// Reads the value of `Date`: an IMF-fixdate (RFC 9110, section 5.6.7), or the form of
  /// `X-Amz-Date`.
  init?(dateHeader: String) {
    if let time = SigningTime(stamp: dateHeader) {
      self = time
      return
    }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    guard let date = formatter.date(from: dateHeader), formatter.string(from: date) == dateHeader
    else { return nil }
    self.init(date)
  }

  private init(_ date: Date) {
    text = Self.style.format(date)
    seconds = Int64(date.timeIntervalSince1970)
  }

  private static let style = Date.ISO8601FormatStyle(
    dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted,
    timeZoneSeparator: .omitted, includingFractionalSeconds: false, timeZone: .gmt)
}
