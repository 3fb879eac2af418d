import Foundation

/// Times as answers have them: UTC, RFC 3339, with milliseconds.
enum Timestamp {
  /// - Parameter milliseconds: Since 1970-01-01T00:00:00Z; not negative.
  static func text(_ milliseconds: Int64) -> String {
    // A Double has no place for every thousandth, and its text would be one too low.
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    let date = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    return "\(date.dropLast()).\(String(1_000 + rest).dropFirst())Z"
  }

  static func value(_ milliseconds: Int64) -> JSONValue { .string(text(milliseconds)) }
}
