import MeetingModel

/// The gateways that speak for their clients, and whether all have said whom they have.
struct GatewayTable: Sendable {
  private let rules: VideoTilesRules
  private var gateways: [GatewayName: Gateway] = [:]
  private var recovery: Recovery

  private enum Recovery: Hashable {
    /// Ends when these gateways have announced their sessions; `nil`: not known yet which.
    case running(until: ContinuousClock.Instant, awaiting: Set<GatewayName>?)
    case over
  }

  private struct Gateway: Sendable {
    /// `nil` until the gateway says it.
    var run: UInt64?
    var lastHeard: ContinuousClock.Instant
    var hasAnnounced = false
  }

  init(rules: VideoTilesRules, at now: ContinuousClock.Instant) {
    self.rules = rules
    recovery = .running(until: now + rules.recovery, awaiting: nil)
  }

  var count: Int { gateways.count }

  /// Whether somebody who is connected may not have been announced.
  var isRecovering: Bool { recovery != .over }

  func hasAnnounced(_ gateway: GatewayName) -> Bool { gateways[gateway]?.hasAnnounced ?? false }

  /// When ``removeSilent(at:)`` or ``endRecovery(at:)`` has something to do.
  var nextDeadline: ContinuousClock.Instant? {
    var moments = gateways.values.map { $0.lastHeard + rules.gatewaySilence }
    if case .running(let until, _) = recovery { moments.append(until) }
    return moments.min()
  }

  /// A gateway spoke.
  ///
  /// - Parameter run: Differs after each start of the gateway; `nil` if it did not say.
  /// - Returns: Whether it was started anew: whom it had before is orphaned.
  mutating func hear(
    _ name: GatewayName, run: UInt64?, at now: ContinuousClock.Instant
  ) -> Bool {
    let known = gateways[name]
    let isNewRun = run != nil && known?.run != nil && known?.run != run
    var gateway = isNewRun ? Gateway(lastHeard: now) : known ?? Gateway(lastHeard: now)
    gateway.run = run ?? gateway.run
    gateway.lastHeard = now
    gateways[name] = gateway
    return isNewRun
  }

  mutating func didAnnounce(_ name: GatewayName) { gateways[name]?.hasAnnounced = true }

  /// Forgets the gateways that are gone.
  ///
  /// - Returns: Their names, in order.
  mutating func removeSilent(at now: ContinuousClock.Instant) -> [GatewayName] {
    let silent = gateways.filter { $0.value.lastHeard + rules.gatewaySilence <= now }.keys.sorted()
    for name in silent { gateways[name] = nil }
    return silent
  }

  /// Which gateways live as the registry has it: recovery waits for these and for all that spoke.
  mutating func expect(_ names: Set<GatewayName>) {
    guard case .running(let until, _) = recovery else { return }
    recovery = .running(until: until, awaiting: names)
  }

  /// Ends recovery if all have announced their sessions, or its time is up.
  ///
  /// - Returns: Whether it ended.
  mutating func endRecovery(at now: ContinuousClock.Instant) -> Bool {
    guard case .running(let until, let awaiting) = recovery else { return false }
    let isAwaited =
      awaiting.map { !$0.allSatisfy { gateways[$0]?.hasAnnounced == true } } ?? true
    guard until <= now || !isAwaited && gateways.values.allSatisfy(\.hasAnnounced) else {
      return false
    }
    recovery = .over
    return true
  }
}
