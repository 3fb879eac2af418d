import Foundation

/// The format of times in answers: UTC, RFC 3339, with milliseconds.
enum TimestampFormatter {
  /// Returns a time as text.
  ///
  /// - Parameter milliseconds: Milliseconds since 1970-01-01T00:00:00Z; not negative.
  static func text(_ milliseconds: Int64) -> String {
    // A `Double` cannot represent every millisecond, so a text that this code computed from a
    // `Double` could be 1 ms too low.
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    let date = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    return "\(date.dropLast()).\(String(1_000 + rest).dropFirst())Z"
  }

  static func value(_ milliseconds: Int64) -> JSONValue { .string(text(milliseconds)) }
}
