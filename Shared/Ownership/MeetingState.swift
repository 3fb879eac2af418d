public import MeetingModel

/// The state of one meeting, such as a roster or a tile board, and the decisions about the meeting.
///
/// The state is a value: callers pass in events and the time, and receive effects in order.
/// ``OwnerMeetingStates`` has one state for each meeting, and applies changes that affect all
/// meetings.
public protocol MeetingState: Sendable {
  /// The type of the state's effects.
  associatedtype Effect: Sendable

  /// The time at which ``advance(to:)`` is due next; `nil` while no timer is pending.
  var nextDeadline: ContinuousClock.Instant? { get }

  /// The time from which the owner may remove the state without a loss; `nil` while the state is
  /// needed.
  var forgettableAt: ContinuousClock.Instant? { get }

  /// Whether the meeting has ended. After the end, the state only serves to reject late joins.
  var hasEnded: Bool { get }

  /// Runs everything that is due.
  mutating func advance(to now: ContinuousClock.Instant) -> [Effect]

  /// Orphans the sessions of a gateway that disappeared or restarted. The clients of these sessions
  /// may return for some time.
  mutating func loseGateway(
    _ gateway: GatewayName, at now: ContinuousClock.Instant
  ) -> [Effect]

  /// Ends recovery. Called after all gateways have announced their sessions, or after the time
  /// limit has passed.
  mutating func endRecovery(at now: ContinuousClock.Instant) -> [Effect]

  /// Subtracts a stall of the owner from every measured silence.
  mutating func excuseSilence(of stall: Duration)
}

/// An effect on a meeting.
public enum MeetingEffect<Effect: Sendable>: Sendable {
  /// An effect that the meeting's state decided.
  case decided(Effect, in: MeetingID)

  /// The owner has removed the state of the meeting, so the meeting's stream ends.
  case forget(MeetingID)
}

extension MeetingEffect: Equatable where Effect: Equatable {}
extension MeetingEffect: Hashable where Effect: Hashable {}
