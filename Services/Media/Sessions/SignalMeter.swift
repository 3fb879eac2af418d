import MeetingModel

/// How good the connection of one session is, from what is lost of its audio in each direction.
///
/// Once a second it takes in the loss of that second and smooths it over about three. Above
/// ``poor`` the signal is low, above ``bad`` there is none; to be good again it has to fall to
/// half.
struct SignalMeter {
  private(set) var strength = SignalStrength.high
  private var loss = 0.0

  /// Above this much loss speech has gaps that concealment does not hide.
  static let poor = 0.05

  /// Above this much loss speech cannot be understood.
  static let bad = 0.3

  private static let weight = 0.4

  /// - Parameter loss: The larger one of both directions, 0-1.
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
