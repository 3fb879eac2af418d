public import MeetingModel

/// The decisions of an owner about all of its meetings.
///
/// A core is a value: callers pass in events and the time, and take the collected effects in order.
public protocol OwnedCore: Sendable {
  /// The type of the core's effects.
  associatedtype Effect

  /// The type of the current time.
  associatedtype Moment = ContinuousClock.Instant

  /// The number of known meetings.
  var meetingCount: Int { get }

  /// Whether gateways possibly have not announced all existing state yet.
  var isRecovering: Bool { get }

  /// Returns whether gateways possibly have not announced all state of a meeting yet.
  func isRecovering(_ meeting: MeetingID) -> Bool

  /// Returns whether this instance, rather than another, answers requests for a meeting.
  func serves(_ meeting: MeetingID) -> Bool

  /// Updates which meetings this instance owns.
  mutating func take(_ share: OwnedMeetings, at now: Moment)

  /// The time at which ``advance(to:)`` is due next, possibly too early; `nil` if no timer is
  /// pending.
  var nextDeadline: ContinuousClock.Instant? { get }

  /// Runs everything that is due.
  mutating func advance(to now: Moment)

  /// Sets the gateways that are alive according to the registry. Recovery waits for these gateways.
  mutating func expect(_ gateways: Set<GatewayName>, at now: Moment)

  /// Returns whether all these gateways are live, and no gateway reports other owners than this
  /// owner knows.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool

  /// Subtracts a stall of the owner from every measured silence.
  mutating func excuseSilence(of stall: Duration)

  /// Returns the pending effects in order, and removes them.
  mutating func takeEffects() -> [Effect]
}
