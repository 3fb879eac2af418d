import MeetingModel

/// Stops forwarding after a stall of the process, until `media` has received all changes that it
/// missed.
///
/// After a stall, the process may read the queued packets and mutes in any order. So the code that
/// detects the stall raises the fence. `media` forwards nothing until every gateway known at that
/// time has returned the number of the fence. A gateway returns the number after `media` has
/// answered all outstanding requests of that gateway. The fence does not wait for a gateway that
/// has disappeared, or that returns the number too late. The fence is a value type without a clock
/// or a connection: callers pass in the names of gateways and the present time.
struct ForwardingStallFence: Sendable {
  /// The number that gateways must return; 0 while the fence is down. While the fence is down,
  /// `media` forwards packets.
  private(set) var number: UInt64 = 0

  /// The gateways that have not returned the number yet.
  private(set) var awaited: Set<GatewayName> = []

  private var last: UInt64
  private var deadline = ContinuousClock.now
  private let timeout: Duration

  /// - Parameters:
  ///   - last: The first fence gets the next number after this number. The caller passes a
  ///     different number in each term, because a gateway's answer to a fence of an earlier term
  ///     may arrive late.
  ///   - timeout: How long a gateway may take to return the number.
  init(after last: UInt64, timeout: Duration) { (self.last, self.timeout) = (last, timeout) }

  /// Whether the fence stops forwarding.
  var isUp: Bool { number > 0 }

  /// Raises the fence after a stall. During the stall, requests of `gateways` may have waited in
  /// the sockets.
  ///
  /// A new fence replaces a fence that is still up. When the process stalled again, a gateway's
  /// answer with the number of the former fence may have been in flight. This answer does not prove
  /// that `media` has answered the gateway's later requests.
  mutating func raise(awaiting gateways: Set<GatewayName>, at now: ContinuousClock.Instant) {
    last += 1
    (number, awaited, deadline) = (last, gateways, now + timeout)
    lowerIfNobodyIsAwaited()
  }

  /// Records that a gateway returned a number.
  ///
  /// Ignores a number other than the present number.
  mutating func echo(_ number: UInt64, by gateway: GatewayName) {
    guard isUp, number == self.number else { return }
    awaited.remove(gateway)
    lowerIfNobodyIsAwaited()
  }

  /// Stops waiting for a gateway that has disappeared.
  mutating func forget(_ gateway: GatewayName) {
    awaited.remove(gateway)
    lowerIfNobodyIsAwaited()
  }

  /// Stops waiting for the gateways that have not returned the number within the timeout.
  ///
  /// - Returns: The sorted names of these gateways; usually empty.
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
