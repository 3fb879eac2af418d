public import MeetingModel

/// The state and decisions of one meeting: a roster, a tile board.
///
/// A value: events and the present time go in, and effects are returned in order. ``MeetingTable``
/// keeps one per meeting and passes on changes that affect all of them.
public protocol MeetingState: Sendable {
  /// The type of its effects.
  associatedtype Effect: Sendable

  /// When ``advance(to:)`` is due next; `nil` while no timer is pending.
  var nextDeadline: ContinuousClock.Instant? { get }

  /// When the meeting may be forgotten without losing anything; `nil` while it must stay.
  var forgettableAt: ContinuousClock.Instant? { get }

  /// Whether the meeting has ended. Its remaining state only rejects late joins.
  var hasEnded: Bool { get }

  /// Runs everything that is due.
  mutating func advance(to now: ContinuousClock.Instant) -> [Effect]

  /// Orphans the sessions of a gateway that vanished or restarted. They may return for a while.
  mutating func loseGateway(
    _ gateway: GatewayName, at now: ContinuousClock.Instant
  ) -> [Effect]

  /// Ends recovery, after the gateways have announced their sessions or their time is up.
  mutating func endRecovery(at now: ContinuousClock.Instant) -> [Effect]

  /// Discounts a stall of the owner: shifts every moment from which silence is measured.
  mutating func excuseSilence(of stall: Duration)
}

/// An effect on a meeting.
public enum MeetingEffect<Effect: Sendable>: Sendable {
  /// An effect that the meeting's state decided.
  case decided(Effect, in: MeetingID)

  /// The meeting was forgotten, so its stream ends.
  case forget(MeetingID)
}

extension MeetingEffect: Equatable where Effect: Equatable {}
extension MeetingEffect: Hashable where Effect: Hashable {}
