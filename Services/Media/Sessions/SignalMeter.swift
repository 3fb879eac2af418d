import MeetingModel

/// The signal strength of one session, derived from its audio loss in each direction.
///
/// The meter smooths the loss of each second over about three seconds. With a loss above ``poor``,
/// the strength is `low`. With a loss above ``bad``, the strength is `none`. The strength recovers
/// when the loss falls to half of the limit.
struct SignalMeter {
  private(set) var strength = SignalStrength.high
  private var loss = 0.0

  /// The loss above which speech has gaps that concealment does not hide.
  static let poor = 0.05

  /// The loss above which listeners cannot understand speech.
  static let bad = 0.3

  private static let weight = 0.4

  /// Adds the loss of one second.
  ///
  /// - Parameter loss: The greater loss of the two directions, 0-1.
  mutating func take(loss newLoss: Double) {
    loss += Self.weight * (min(max(newLoss, 0), 1) - loss)
    switch strength {
    case .high:
      strength = loss > Self.bad ? .none : loss > Self.poor ? .low : .high
    case .low:
      strength = loss > Self.bad ? .none : loss > Self.poor / 2 ? .low : .high
    case .none:
      strength = loss > Self.bad / 2 ? .none : loss > Self.poor / 2 ? .low : .high
    }
  }
}
