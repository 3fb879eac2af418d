import MeetingModel

/// Keeps media from forwarding after it stood still, until it knows what it was told meanwhile.
///
/// Packets and mutes that waited for a process that stood still may be read in any order. So what
/// notices the standstill raises the fence: nothing is forwarded until every gateway that was known
/// then has echoed the fence's number, which a gateway does once media has answered all that the
/// gateway had to tell. A gateway that vanishes, or does not echo in time, holds nothing up. A
/// value: names and the present time go in.
struct Fence: Sendable {
  /// The number that gateways must echo; 0 while nothing is held up.
  private(set) var number: UInt64 = 0

  /// Who has not echoed it.
  private(set) var awaited: Set<GatewayName> = []

  private var last: UInt64
  private var deadline = ContinuousClock.now
  private let timeout: Duration

  /// - Parameters:
  ///   - last: Fences have the numbers after this one. Those of another term should be others,
  ///     because an echo can come late.
  ///   - timeout: How long a gateway has to echo.
  init(after last: UInt64, timeout: Duration) { (self.last, self.timeout) = (last, timeout) }

  /// Whether nothing may be forwarded.
  var isUp: Bool { number > 0 }

  /// The process stood still: what each of these gateways said meanwhile may still wait.
  ///
  /// A fence that is up already gives way to the new one: an echo of the former may have been under
  /// way when the process stopped again, and says nothing of what came after it.
  mutating func raise(awaiting gateways: Set<GatewayName>, at now: ContinuousClock.Instant) {
    last += 1
    (number, awaited, deadline) = (last, gateways, now + timeout)
    lowerIfNobodyIsAwaited()
  }

  /// A gateway has said all that waited when it read this number. Another number than the present
  /// one counts for nothing.
  mutating func echo(_ number: UInt64, by gateway: GatewayName) {
    guard isUp, number == self.number else { return }
    awaited.remove(gateway)
    lowerIfNobodyIsAwaited()
  }

  /// A gateway is gone: nobody waits for it any more.
  mutating func forget(_ gateway: GatewayName) {
    awaited.remove(gateway)
    lowerIfNobodyIsAwaited()
  }

  /// Waits no longer for gateways that had their time.
  ///
  /// - Returns: Their names, in order; mostly there are none.
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
