/// Text as JSON (RFC 8259).
enum JSONText {
  /// The treatment of quotes and backslashes.
  enum Quotes {
    case escaped
    /// The text is not inside quotes.
    case asTheyAre
  }

  /// Returns `text` as a JSON string, including quotes.
  static func quoted(_ text: String) -> String {
    "\"\(escaped(text, quotes: .escaped))\""
  }

  /// Returns `text` with every control character escaped. So the text remains on one line and
  /// cannot send commands to a terminal.
  static func escaped(_ text: String, quotes: Quotes) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        if case .escaped = quotes { result.append("\\") }
        result.unicodeScalars.append(scalar)
      case "\n": result.append("\\n")
      case "\r": result.append("\\r")
      case "\t": result.append("\\t")
      case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        result.append("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
