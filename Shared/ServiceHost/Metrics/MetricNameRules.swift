/// The rules of the Prometheus data model for names.
enum MetricNameRules {
  /// Returns whether a metric may have this name: `[a-zA-Z_:][a-zA-Z0-9_:]*`.
  static func isValid(_ name: String) -> Bool {
    isWord(name, colons: true)
  }

  /// Returns whether a label may have this name. The rule is the same as for metrics, but excludes
  /// colons and the names that Prometheus reserves (`__…`, `le` of histograms, `quantile` of
  /// summaries).
  static func isValidLabel(_ name: String) -> Bool {
    isWord(name, colons: false) && !name.hasPrefix("__") && name != "le" && name != "quantile"
  }

  /// Returns the nearest valid name for another library's metric: `http.requests` becomes
  /// `http_requests`.
  static func sanitized(_ name: String) -> String {
    let bytes = name.utf8.map { isLetter($0) || isDigit($0) ? $0 : UInt8(ascii: "_") }
    let word = String(decoding: bytes, as: UTF8.self)
    return bytes.first.map(isDigit) == false ? word : "_\(word)"
  }

  private static func isWord(_ name: String, colons: Bool) -> Bool {
    guard let first = name.utf8.first, !isDigit(first) else { return false }
    return name.utf8.allSatisfy {
      isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_")
        || (colons && $0 == UInt8(ascii: ":"))
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
