internal import Foundation
internal import Logging

/// One log entry, which the output writes as text or as JSON.
///
/// An entry is always one line, because this type escapes control characters that a peer put into a
/// message or value.
struct LogLine {
  let time: Date
  let level: Logger.Level
  /// The logger's name.
  let label: String
  let message: String
  let metadata: Logger.Metadata

  /// The time in UTC in the format of RFC 3339, with milliseconds.
  var timestamp: String {
    time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  // MARK: - Text

  /// Returns the line as text: `2026-01-31T12:00:00.000Z notice   Draining  duration="10.0 seconds"
  /// signal=SIGTERM`.
  func text(_ paint: LogColorMode) -> String {
    let level = level.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
    var line = "\(paint.dimmed(timestamp)) \(paint.painted(level, for: self.level)) "
    line += Self.escaped(message)
    let pairs = metadata.sorted { $0.key < $1.key }
      .map { "\(paint.dimmed("\(Self.bare($0.key))="))\(Self.text(of: $0.value))" }
    if !pairs.isEmpty { line += "  " + pairs.joined(separator: " ") }
    return line
  }

  private static func text(of value: Logger.MetadataValue) -> String {
    switch value {
    case .string(let text): bare(text)
    case .stringConvertible(let value): bare(value.description)
    case .array, .dictionary: json(of: value)
    }
  }

  /// Returns the text, in quotes if the text would be ambiguous without quotes.
  private static func bare(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.value > 0x20 && $0.value != 0x7F && $0 != "\"" && $0 != "=" && $0 != "\\"
          && !(0x80...0x9F).contains($0.value)
      }
    return isPlain ? text : JSONText.quoted(text)
  }

  /// Returns the message without quotes, and escapes characters that would break the line.
  private static func escaped(_ text: String) -> String {
    String(JSONText.escaped(text, quotes: .asTheyAre))
  }

  // MARK: - JSON

  /// Returns a JSON object with the members `time`, `level`, `logger` and `message`, followed by
  /// the metadata in the order of its keys.
  ///
  /// A metadata key that equals one of these four keys gets the prefix `metadata.`.
  func json() -> String {
    var members = [
      "\"time\":\(JSONText.quoted(timestamp))", "\"level\":\(JSONText.quoted(level.rawValue))",
      "\"logger\":\(JSONText.quoted(label))", "\"message\":\(JSONText.quoted(message))",
    ]
    let reserved: Set = ["time", "level", "logger", "message"]
    members += metadata.sorted { $0.key < $1.key }.map { key, value in
      let key = reserved.contains(key) ? "metadata.\(key)" : key
      return "\(JSONText.quoted(key)):\(Self.json(of: value))"
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func json(of value: Logger.MetadataValue) -> String {
    switch value {
    case .string(let text): return JSONText.quoted(text)
    case .stringConvertible(let value): return JSONText.quoted(value.description)
    case .array(let values): return "[\(values.map(json(of:)).joined(separator: ","))]"
    case .dictionary(let values):
      let members = values.sorted { $0.key < $1.key }
        .map { "\(JSONText.quoted($0.key)):\(json(of: $0.value))" }
      return "{\(members.joined(separator: ","))}"
    }
  }
}
