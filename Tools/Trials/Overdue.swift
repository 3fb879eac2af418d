/// Something did not happen in the time it has.
public struct Overdue: Error, CustomStringConvertible {
  /// What was waited for, for how long, and what was heard meanwhile.
  public let description: String

  /// - Parameters:
  ///   - what: What did not happen.
  ///   - heard: What happened instead.
  public init(_ what: String, after limit: Duration, heard: String = "") {
    description = "Waited \(limit) for \(what). \(heard)"
  }
}
