/// The parameters of `a=fmtp` that have names: `name=value` pairs between semicolons.
///
/// The order of the pairs, the spaces around a pair and the case of a name have no meaning (RFC
/// 6838, §4.3). If two pairs have the same name, the parser uses the first pair.
struct FormatParameters {
  private let values: [String: String]

  init(_ line: String?) {
    let pairs = (line ?? "").split(separator: ";").compactMap(Self.pair)
    values = Dictionary(pairs) { first, _ in first }
  }

  /// Returns the value of a parameter; `nil` if the parameter is missing.
  ///
  /// - Parameter name: The name in lower case.
  subscript(name: String) -> String? { values[name] }

  private static func pair(_ text: Substring) -> (String, String)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return (trimmed(parts[0]).lowercased(), trimmed(parts[1]))
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(String(start.reversed().drop(while: \.isWhitespace)).reversed())
  }
}
