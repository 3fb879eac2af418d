internal import Foundation

/// The time of a request's signature, to the second, from the request's time stamp.
public struct SigningTime: Hashable, Sendable {
  /// The time as `yyyymmddThhmmssZ`, in UTC.
  public let text: String

  /// The time in seconds since 1970-01-01T00:00:00Z.
  public let seconds: Int64

  /// The date as `yyyymmdd`, in UTC.
  public var date: String { String(text.prefix(8)) }

  /// Creates a time.
  ///
  /// - Parameter seconds: The seconds since 1970-01-01T00:00:00Z.
  public init(seconds: Int64) {
    self.init(Date(timeIntervalSince1970: TimeInterval(seconds)))
  }

  /// Parses the value of `X-Amz-Date`; `nil` unless the value has exactly the form of ``text``.
  init?(stamp: String) {
    guard let date = try? Self.style.parse(stamp) else { return nil }
    self.init(date)
    // The parser also accepts other forms, but the signature covers exactly this text.
    guard text == stamp else { return nil }
  }

  /// Parses the value of `Date`: an IMF-fixdate (RFC 9110, section 5.6.7) or the form of
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
