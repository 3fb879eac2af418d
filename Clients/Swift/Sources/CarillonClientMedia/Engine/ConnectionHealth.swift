/// The health of a connection. The session reports changes of the health with
/// `connectionDidBecomePoor` and `connectionDidRecover`.
///
/// The health becomes poor after two consecutive seconds with a loss of at least ``poorPercent`` of
/// the audio. The health becomes good after three consecutive seconds with a loss of at most
/// ``goodPercent``. Otherwise, the health does not change.
struct ConnectionHealth: Hashable, Sendable {
  private(set) var isPoor = false
  private var secondsOfOpposite = 0

  static let poorPercent = 10.0
  static let goodPercent = 3.0
  private static let secondsToPoor = 2
  private static let secondsToGood = 3

  /// Records the loss of one second. The loss is the higher loss of the two directions.
  ///
  /// - Returns: Whether the health changed.
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
