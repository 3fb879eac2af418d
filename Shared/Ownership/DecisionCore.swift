public import MeetingModel

/// The decisions of an owner about all of its meetings.
///
/// A core is a value: callers pass in events and the time, and take the collected effects in order.
public protocol DecisionCore: Sendable {
  /// The type of the core's effects.
  associatedtype Effect

  /// The type of the current time.
  associatedtype Moment = ContinuousClock.Instant

  /// The number of known meetings.
  var meetingCount: Int { get }

  /// Whether gateways may still have state to announce.
  var isRecovering: Bool { get }

  /// Returns whether gateways may still have state of a meeting to announce.
  func isRecovering(_ meeting: MeetingID) -> Bool

  /// Returns whether this instance, rather than another instance, answers requests for a meeting.
  func serves(_ meeting: MeetingID) -> Bool

  /// Updates which meetings this instance owns.
  mutating func take(_ share: OwnedMeetings, at now: Moment)

  /// The time at which the caller must next call ``advance(to:)``; `nil` if no timer is pending.
  /// This time may be earlier than necessary.
  var nextDeadline: ContinuousClock.Instant? { get }

  /// Runs everything that is due.
  mutating func advance(to now: Moment)

  /// Sets the gateways that are alive according to the registry. Recovery waits for these gateways.
  mutating func expect(_ gateways: Set<GatewayName>, at now: Moment)

  /// Returns whether all these gateways are live, and whether every gateway that reports a set of
  /// owners knows the same set as this owner.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool

  /// Subtracts a stall of the owner from every measured silence.
  mutating func excuseSilence(of stall: Duration)

  /// Returns the pending effects in order, and removes them.
  mutating func takeEffects() -> [Effect]
}
