import MeetingModel

/// Stops forwarding after the process stalled, until media knows the changes that it missed.
///
/// Packets and mutes that queued while the process stalled may be read in any order. So the
/// code that notices the stall raises the fence. Nothing is forwarded until every gateway
/// known at that time has echoed the number of the fence. A gateway echoes once media has answered
/// all of its outstanding requests. A gateway that is lost, or that does not echo in time, is no
/// longer awaited. A value: names and the present time are passed in.
struct Fence: Sendable {
  /// The number that gateways must echo; 0 while the fence is down.
  private(set) var number: UInt64 = 0

  /// The gateways that have not echoed the number.
  private(set) var awaited: Set<GatewayName> = []

  private var last: UInt64
  private var deadline = ContinuousClock.now
  private let timeout: Duration

  /// - Parameters:
  ///   - last: The number before the first fence. It should differ between terms, because an echo
  ///     may arrive late.
  ///   - timeout: The time within which a gateway must echo.
  init(after last: UInt64, timeout: Duration) { (self.last, self.timeout) = (last, timeout) }

  /// Whether forwarding is stopped.
  var isUp: Bool { number > 0 }

  /// Raises the fence after a stall, during which requests of these gateways may have queued.
  ///
  /// A new fence replaces one that is still up. An echo of the former fence may have been in flight
  /// when the process stalled again, so it does not cover later requests.
  mutating func raise(awaiting gateways: Set<GatewayName>, at now: ContinuousClock.Instant) {
    last += 1
    (number, awaited, deadline) = (last, gateways, now + timeout)
    lowerIfNobodyIsAwaited()
  }

  /// Records that a gateway echoed a number.
  ///
  /// Ignores a number that is not the present one.
  mutating func echo(_ number: UInt64, by gateway: GatewayName) {
    guard isUp, number == self.number else { return }
    awaited.remove(gateway)
    lowerIfNobodyIsAwaited()
  }

  /// Stops awaiting a gateway that is lost.
  mutating func forget(_ gateway: GatewayName) {
    awaited.remove(gateway)
    lowerIfNobodyIsAwaited()
  }

  /// Stops awaiting the gateways whose time has run out.
  ///
  /// - Returns: The names of these gateways in order, mostly none.
  mutating func giveUp(at now: ContinuousClock.Instant) -> [GatewayName] {
    guard isUp, deadline <= now else { return [] }
    let late = awaited.sorted()
    awaited = []
    lowerIfNobodyIsAwaited()
    return late
  }

  private mutating func lowerIfNobodyIsAwaited() {
    if awaited.isEmpty { number = 0 }
  }
}
