public import MeetingModel

/// The decisions of an owner about all of its meetings.
///
/// A value: events and the present time go in, and effects are collected in order until they are
/// taken.
public protocol OwnedCore: Sendable {
  /// The type of its effects.
  associatedtype Effect

  /// The type of the present time.
  associatedtype Moment = ContinuousClock.Instant

  /// The number of known meetings.
  var meetingCount: Int { get }

  /// Whether existing state may not have been announced yet.
  var isRecovering: Bool { get }

  /// Returns whether state of a meeting may not have been announced yet.
  func isRecovering(_ meeting: MeetingID) -> Bool

  /// Returns whether this instance, and not another, answers requests for a meeting.
  func serves(_ meeting: MeetingID) -> Bool

  /// Updates which meetings this instance owns.
  mutating func take(_ share: MeetingShare, at now: Moment)

  /// When ``advance(to:)`` is due next, possibly earlier than necessary; `nil` if no timer is
  /// pending.
  var nextDeadline: ContinuousClock.Instant? { get }

  /// Runs everything that is due.
  mutating func advance(to now: Moment)

  /// Sets the gateways that are alive according to the registry. Recovery waits for these.
  mutating func expect(_ gateways: Set<GatewayName>, at now: Moment)

  /// Returns whether all of these gateways are heard, and no gateway reports other owners than this
  /// one sees.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool

  /// Discounts a stall of the owner: shifts every moment from which silence is measured.
  mutating func excuseSilence(of stall: Duration)

  /// Returns the pending effects in order, and removes them.
  mutating func takeEffects() -> [Effect]
}
