/// The newest call about each subject. With this type, the cleanup of an older call does not undo
/// the effect of a newer call.
public struct LatestCalls<Subject: Hashable & Sendable>: Sendable {
  private var latest: [Subject: UInt64] = [:]
  private var last: UInt64 = 0

  /// Makes a table without calls.
  public init() {}

  /// The number of subjects with an open call.
  public var count: Int { latest.count }

  /// Records a new call.
  ///
  /// - Returns: The call's number, for ``end(_:of:)``.
  public mutating func begin(_ subject: Subject) -> UInt64 {
    last += 1
    latest[subject] = last
    return last
  }

  /// Records the answer or the cancellation of a call.
  ///
  /// - Returns: Whether no newer call about the same subject has begun.
  public mutating func end(_ number: UInt64, of subject: Subject) -> Bool {
    guard latest[subject] == number else { return false }
    latest[subject] = nil
    return true
  }
}
