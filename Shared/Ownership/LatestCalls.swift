/// The newest of several calls about one thing, so that an older one that is given up undoes
/// nothing which the newer one has done again.
public struct LatestCalls<Subject: Hashable & Sendable>: Sendable {
  private var latest: [Subject: UInt64] = [:]
  private var last: UInt64 = 0

  /// Nothing was called.
  public init() {}

  /// How many things have a call that has not ended.
  public var count: Int { latest.count }

  /// Another call begins.
  ///
  /// - Returns: Its number, for ``end(_:of:)``.
  public mutating func begin(_ subject: Subject) -> UInt64 {
    last += 1
    latest[subject] = last
    return last
  }

  /// A call was answered or given up.
  ///
  /// - Returns: Whether none about the same has begun since.
  public mutating func end(_ number: UInt64, of subject: Subject) -> Bool {
    guard latest[subject] == number else { return false }
    latest[subject] = nil
    return true
  }
}
