/// Something did not happen in the time it has.
public struct Overdue: Error, CustomStringConvertible {
  /// What was waited for, for how long, and what was heard meanwhile.
  public let description: String

  /// - Parameters:
  ///   - what: What did not happen.
  ///   - heard: What happened instead. Only its beginning and its end are told if it is long.
  public init(_ what: String, after limit: Duration, heard: String = "") {
    description = "Waited \(limit) for \(what). \(Self.shortened(heard))"
  }

  /// A journal of packets has megabytes, and nobody reads them.
  private static func shortened(_ heard: String) -> String {
    let longest = 2_000
    guard heard.utf8.count > longest else { return heard }
    return "\(heard.prefix(longest / 4)) … \(heard.suffix(longest / 2))"
  }
}
