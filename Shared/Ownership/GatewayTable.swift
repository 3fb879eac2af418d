public import MeetingModel

/// The live gateways, and whether all of them have announced their sessions.
///
/// Each owner of soft state has one table. Gateways send a heartbeat every second. The gateways
/// announce their sessions to a new owner. The owner's recovery ends when all gateways have
/// announced their sessions. The table is a value: callers pass in names and the time, and receive
/// the changes of the gateways' state.
public struct GatewayTable: Sendable {
  private let silence: Duration
  private let recoveryTime: Duration
  private var gateways: [GatewayName: Gateway] = [:]
  private var recovery: RecoveryState

  /// The fingerprint of the owners that share the meetings, according to this owner; 0 if this
  /// owner does not compare fingerprints.
  private var membership: UInt64 = 0

  private enum RecoveryState: Hashable {
    /// The owner recovers until the gateways in `awaiting` have announced their sessions, but not
    /// beyond the time `until`. `awaiting` is `nil` if the gateways are unknown.
    case running(until: ContinuousClock.Instant, awaiting: Set<GatewayName>?)
    case over
  }

  private struct Gateway: Sendable {
    /// The number of the gateway's run; `nil` until the gateway reports this number.
    var run: UInt64?
    var lastHeard: ContinuousClock.Instant

    /// The fingerprint of the owners among which the gateway distributes meetings; 0 if the gateway
    /// reports no fingerprint.
    var membership: UInt64 = 0

    /// Whether the gateway announced all its sessions while the gateway and this owner knew the
    /// same set of owners.
    var hasAnnounced = false

    /// The newest interval in which the gateway itself was silent for too long.
    var lastGap: Range<ContinuousClock.Instant>?
  }

  /// The longest pause of a live gateway.
  ///
  /// Heartbeats are one second apart. The table regards a delay of more than half a second as a
  /// stall.
  private static let longestPause = Duration.milliseconds(1_500)

  /// Makes the table of a new owner.
  ///
  /// - Parameters:
  ///   - silence: The time without contact after which the owner regards a gateway as gone: three
  ///     heartbeats.
  ///   - recovery: The longest time that the owner waits for the gateways to announce their
  ///     sessions.
  public init(silence: Duration, recovery: Duration, at now: ContinuousClock.Instant) {
    self.silence = silence
    recoveryTime = recovery
    self.recovery = .running(until: now + recovery, awaiting: nil)
  }

  /// Makes the table of an owner that needs no announcements from gateways.
  ///
  /// - Parameter silence: The time without contact after which the owner regards a gateway as gone.
  public init(silence: Duration) {
    self.silence = silence
    recoveryTime = .zero
    recovery = .over
  }

  /// The names of the live gateways.
  public var names: Set<GatewayName> { Set(gateways.keys) }

  /// The number of live gateways.
  public var count: Int { gateways.count }

  /// Whether the owner is in recovery. During recovery, gateways may still have connected sessions
  /// to announce.
  public var isRecovering: Bool { recovery != .over }

  /// Returns whether a gateway announced all its sessions while the gateway and this owner knew the
  /// same set of owners.
  public func hasAnnounced(_ gateway: GatewayName) -> Bool {
    gateways[gateway]?.hasAnnounced ?? false
  }

  /// Whether every gateway that reports a set of owners knows the same set as this owner.
  public var areAgreed: Bool {
    gateways.values.allSatisfy { $0.membership == membership || $0.membership == 0 }
  }

  /// Returns whether all given gateways are live, and whether every gateway that reports a set of
  /// owners knows the same set as this owner.
  public func vouch(for known: Set<GatewayName>) -> Bool {
    known.isSubset(of: gateways.keys) && areAgreed
  }

  /// The time at which ``removeSilent(at:)`` or ``endRecovery(at:)`` is due next.
  public var nextDeadline: ContinuousClock.Instant? {
    var moments = gateways.values.map { $0.lastHeard + silence }
    if case .running(let until, _) = recovery { moments.append(until) }
    return moments.min()
  }

  /// Records that a gateway is alive.
  ///
  /// - Parameter run: A number that changes with each start of the gateway; `nil` if the gateway
  ///   did not report the number.
  /// - Returns: Whether the gateway restarted. A restart orphans the sessions of the gateway's
  ///   previous run.
  public mutating func hear(
    _ name: GatewayName, run: UInt64?, at now: ContinuousClock.Instant
  ) -> Bool {
    let known = gateways[name]
    // Until the gateway has reported the number of its run, its messages may belong to the previous
    // run.
    let isNewRun = known != nil && run != nil && known?.run != run
    var gateway = isNewRun ? Gateway(lastHeard: now) : known ?? Gateway(lastHeard: now)
    gateway.run = run ?? gateway.run
    if now - gateway.lastHeard > Self.longestPause { gateway.lastGap = gateway.lastHeard..<now }
    gateway.lastHeard = now
    gateways[name] = gateway
    return isNewRun
  }

  /// Records the owners among which a gateway distributes meetings.
  public mutating func hear(_ name: GatewayName, seeing membership: UInt64) {
    gateways[name]?.membership = membership
  }

  /// Updates the owners that this owner knows.
  ///
  /// - Parameter mayGain: Whether meetings may move from other owners to this owner. If so, this
  ///   owner recovers again until all gateways have announced their sessions to this owner.
  public mutating func see(
    _ membership: UInt64, mayGain: Bool, at now: ContinuousClock.Instant
  ) {
    guard membership != self.membership else { return }
    let isFirstLook = self.membership == 0
    self.membership = membership
    guard mayGain else { return }
    // Earlier announcements were about other meetings, or about meetings that this owner has
    // removed since then.
    for (name, gateway) in gateways {
      let isAgreed = gateway.membership == membership || gateway.membership == 0
      if !isFirstLook || !isAgreed { gateways[name]?.hasAnnounced = false }
    }
    // The owner reads the registry again to find the gateways for which recovery waits.
    recovery = .running(until: now + recoveryTime, awaiting: nil)
  }

  /// Returns the part of a client's reported silence that no stall of the gateway explains.
  ///
  /// A stalled gateway reads nothing, so the gateway may report its own stall as silence of its
  /// clients. So this method subtracts the time in which the gateway itself was silent.
  ///
  /// - Parameter reported: How long the gateway has not received anything from the client.
  public func credibleSilence(
    _ reported: Duration, from name: GatewayName, at now: ContinuousClock.Instant
  ) -> Duration {
    guard let gateway = gateways[name] else { return reported }
    let present = now - gateway.lastHeard > Self.longestPause ? gateway.lastHeard..<now : nil
    var silence = reported
    for gap in [present, gateway.lastGap].compactMap(\.self) {
      let overlap = gap.clamped(to: now.advanced(by: .zero - max(reported, .zero))..<now)
      silence -= overlap.upperBound - overlap.lowerBound
    }
    return max(silence, .zero)
  }

  /// Subtracts a stall of the owner from every measured silence, and extends recovery by the stall.
  public mutating func excuseSilence(of stall: Duration) {
    for name in gateways.keys { gateways[name]?.lastHeard += stall }
    if case .running(let until, let awaiting) = recovery {
      recovery = .running(until: until + stall, awaiting: awaiting)
    }
  }

  /// Records that a gateway has announced its last session.
  ///
  /// - Parameter membership: The fingerprint of the set of owners that the gateway knew during its
  ///   announcement; 0 if the gateway did not report a fingerprint.
  public mutating func didAnnounce(_ name: GatewayName, seeing membership: UInt64 = 0) {
    let isAgreed = membership == self.membership || membership == 0 || self.membership == 0
    gateways[name]?.hasAnnounced = isAgreed
    if membership > 0 { gateways[name]?.membership = membership }
  }

  /// Removes the gateways that were silent for too long.
  ///
  /// - Returns: The names of the removed gateways, in alphabetical order.
  public mutating func removeSilent(at now: ContinuousClock.Instant) -> [GatewayName] {
    let silent = gateways.filter { $0.value.lastHeard + silence <= now }.keys.sorted()
    for name in silent { gateways[name] = nil }
    return silent
  }

  /// Removes all gateways except the named gateways. Owners that receive no heartbeats call this
  /// method.
  public mutating func keep(only names: Set<GatewayName>) {
    gateways = gateways.filter { names.contains($0.key) }
  }

  /// Sets the gateways that are alive according to the registry.
  ///
  /// Recovery waits for these gateways and for all gateways that have sent a message.
  public mutating func expect(_ names: Set<GatewayName>) {
    guard case .running(let until, _) = recovery else { return }
    recovery = .running(until: until, awaiting: names)
  }

  /// Ends recovery if all gateways have announced their sessions, or if the time limit of recovery
  /// has passed.
  ///
  /// - Returns: Whether recovery ended.
  public mutating func endRecovery(at now: ContinuousClock.Instant) -> Bool {
    guard case .running(let until, let awaiting) = recovery else { return false }
    let isAwaited =
      awaiting.map { !$0.allSatisfy(hasAnnounced) } ?? true
    guard until <= now || !isAwaited && gateways.values.allSatisfy(\.hasAnnounced) else {
      return false
    }
    recovery = .over
    return true
  }
}
