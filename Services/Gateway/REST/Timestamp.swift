import Foundation

/// Times as answers have them: UTC, RFC 3339, with milliseconds.
enum Timestamp {
  /// - Parameter milliseconds: Since 1970-01-01T00:00:00Z.
  static func text(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  static func value(_ milliseconds: Int64) -> JSONValue { .string(text(milliseconds)) }
}
