public import MeetingModel

/// The decisions of an owner, about all of its meetings.
///
/// A value: what happened and the present time go in; what must be done gathers in order and is
/// handed over once.
public protocol OwnedCore: Sendable {
  /// What it wants done.
  associatedtype Effect

  /// What it is told of the present time.
  associatedtype Moment = ContinuousClock.Instant

  /// How many meetings are known.
  var meetingCount: Int { get }

  /// Whether something that is may not have been announced yet.
  var isRecovering: Bool { get }

  /// Whether something of a meeting that is may not have been announced yet.
  func isRecovering(_ meeting: MeetingID) -> Bool

  /// Whether what is asked of a meeting is answered here, and not by another instance.
  func serves(_ meeting: MeetingID) -> Bool

  /// Takes in which meetings belong here.
  mutating func take(_ share: MeetingShare, at now: Moment)

  /// When ``advance(to:)`` has something to do; it may be earlier than need be. `nil`: nothing will
  /// happen by itself.
  var nextDeadline: ContinuousClock.Instant? { get }

  /// Does everything that is due.
  mutating func advance(to now: Moment)

  /// Which gateways are alive as the registry has it: recovery waits for these.
  mutating func expect(_ gateways: Set<GatewayName>, at now: Moment)

  /// Whether all of these gateways are heard, and see no other owners than this one sees.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool

  /// The owner stood still so long: every moment from which silence is counted moves by that.
  mutating func excuseSilence(of stall: Duration)

  /// What must be done, in order. It is handed over once.
  mutating func takeEffects() -> [Effect]
}
