/// Whether a connection loses so much audio that people notice: what is behind
/// `connectionDidBecomePoor` and `connectionDidRecover`.
///
/// Poor from two seconds in a row with at least ``poorPercent`` on, good again after three seconds
/// in a row with at most ``goodPercent``; in between it stays what it is.
struct ConnectionHealth: Hashable, Sendable {
  private(set) var isPoor = false
  private var secondsOfOpposite = 0

  static let poorPercent = 10.0
  static let goodPercent = 3.0
  private static let secondsToPoor = 2
  private static let secondsToGood = 3

  /// Takes the loss of one second, the worse of both directions.
  ///
  /// - Returns: Whether it changed.
  mutating func take(lossPercent: Double) -> Bool {
    let isOpposite = isPoor ? lossPercent <= Self.goodPercent : lossPercent >= Self.poorPercent
    secondsOfOpposite = isOpposite ? secondsOfOpposite + 1 : 0
    guard secondsOfOpposite >= (isPoor ? Self.secondsToGood : Self.secondsToPoor) else {
      return false
    }
    isPoor.toggle()
    secondsOfOpposite = 0
    return true
  }
}
