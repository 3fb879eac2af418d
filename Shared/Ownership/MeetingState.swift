public import MeetingModel

/// What an owner knows and decides of one meeting: a roster, a tile board.
///
/// A value: what happened and the present time go in, and what must be done comes out, in order.
/// ``MeetingTable`` keeps one for each meeting and tells it what concerns all of them.
public protocol MeetingState: Sendable {
  /// What it wants done.
  associatedtype Effect: Sendable

  /// When ``advance(to:)`` has something to do; `nil` while nothing happens by itself.
  var nextDeadline: ContinuousClock.Instant? { get }

  /// When the meeting may be forgotten without losing anything; `nil` while that is not in sight.
  var forgettableAt: ContinuousClock.Instant? { get }

  /// Whether the meeting is over: what is left of it only refuses who comes too late.
  var hasEnded: Bool { get }

  /// Does what is due.
  mutating func advance(to now: ContinuousClock.Instant) -> [Effect]

  /// A gateway vanished, or was started anew: whoever it had may come back for a while.
  mutating func loseGateway(
    _ gateway: GatewayName, at now: ContinuousClock.Instant
  ) -> [Effect]

  /// The gateways have said whom they have, or had the time to.
  mutating func endRecovery(at now: ContinuousClock.Instant) -> [Effect]

  /// The owner stood still so long: every moment from which it counts somebody's silence moves by
  /// that.
  mutating func excuseSilence(of stall: Duration)
}

/// What must be done about a meeting.
public enum MeetingEffect<Effect: Sendable>: Sendable {
  /// The meeting's state wants it.
  case decided(Effect, in: MeetingID)

  /// The meeting is known no more: its stream ends here.
  case forget(MeetingID)
}

extension MeetingEffect: Equatable where Effect: Equatable {}
extension MeetingEffect: Hashable where Effect: Hashable {}
