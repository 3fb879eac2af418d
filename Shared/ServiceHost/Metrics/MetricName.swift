/// The rules of the Prometheus data model for names.
enum MetricName {
  /// Whether a metric may be called so: `[a-zA-Z_:][a-zA-Z0-9_:]*`.
  static func isValid(_ name: String) -> Bool {
    isWord(name, colons: true)
  }

  /// Whether a label may: the same without colons, and not one of the names that Prometheus keeps
  /// for itself (`__…`, and `le` of histograms).
  static func isValidLabel(_ name: String) -> Bool {
    isWord(name, colons: false) && !name.hasPrefix("__") && name != "le" && name != "quantile"
  }

  /// The nearest valid name to that of another library's metric: `http.requests` is
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
