/// The error that reports that an expected event did not happen in time.
public struct TimeoutError: Error, CustomStringConvertible {
  /// The expected event, the time limit, and the events that arrived instead.
  public let description: String

  /// - Parameters:
  ///   - what: The expected event.
  ///   - heard: The events that arrived instead. This type shortens a long text to its beginning
  ///     and end.
  public init(_ what: String, after limit: Duration, heard: String = "") {
    description = "Waited \(limit) for \(what). \(Self.shortened(heard))"
  }

  /// Shortens a text, because a journal of packets can have megabytes.
  private static func shortened(_ heard: String) -> String {
    let longest = 2_000
    guard heard.utf8.count > longest else { return heard }
    return "\(heard.prefix(longest / 4)) … \(heard.suffix(longest / 2))"
  }
}
