public import MeetingModel

/// The gateways that speak for their clients, and whether all have said whom they have.
///
/// Each owner of soft state keeps one: gateways say every second that they live, and announce their
/// sessions to a new owner, whose recovery ends when all have. A value: names and the present time
/// go in, what has become of the gateways comes out.
public struct GatewayTable: Sendable {
  private let silence: Duration
  private let recoveryTime: Duration
  private var gateways: [GatewayName: Gateway] = [:]
  private var recovery: Recovery

  /// Among which owners meetings are shared out, as this owner sees it; 0: it does not look.
  private var membership: UInt64 = 0

  private enum Recovery: Hashable {
    /// Ends when these gateways have announced their sessions; `nil`: not known yet which.
    case running(until: ContinuousClock.Instant, awaiting: Set<GatewayName>?)
    case over
  }

  private struct Gateway: Sendable {
    /// `nil` until the gateway says it.
    var run: UInt64?
    var lastHeard: ContinuousClock.Instant

    /// Among which owners it shares meetings out; 0: it does not say.
    var membership: UInt64 = 0

    /// Whether it has said whom it has, all of them, seeing the owners that this one sees.
    var hasAnnounced = false

    /// The last time that the gateway itself was not heard when it should have been.
    var lastGap: Range<ContinuousClock.Instant>?
  }

  /// A gateway says every second that it lives; one that is later by half a second stood still.
  private static let longestPause = Duration.milliseconds(1_500)

  /// A new owner, which has heard of nobody yet.
  ///
  /// - Parameters:
  ///   - silence: A gateway that was not heard for so long is gone: three of its announcements of
  ///     life.
  ///   - recovery: How long at most the owner waits for the gateways to announce their sessions.
  public init(silence: Duration, recovery: Duration, at now: ContinuousClock.Instant) {
    self.silence = silence
    recoveryTime = recovery
    self.recovery = .running(until: now + recovery, awaiting: nil)
  }

  /// A table of an owner that shows nothing to anybody which gateways would have to complete.
  ///
  /// - Parameter silence: A gateway that was not heard for so long is gone.
  public init(silence: Duration) {
    self.silence = silence
    recoveryTime = .zero
    recovery = .over
  }

  /// Those that live.
  public var names: Set<GatewayName> { Set(gateways.keys) }

  /// How many live.
  public var count: Int { gateways.count }

  /// Whether somebody who is connected may not have been announced.
  public var isRecovering: Bool { recovery != .over }

  /// Whether a gateway has said whom it has, all of them, when it saw the owners that this one
  /// sees.
  public func hasAnnounced(_ gateway: GatewayName) -> Bool {
    gateways[gateway]?.hasAnnounced ?? false
  }

  /// Whether all gateways share meetings out among the owners that this one sees.
  public var areAgreed: Bool {
    gateways.values.allSatisfy { $0.membership == membership || $0.membership == 0 }
  }

  /// Whether all of these are heard, and see no other owners than this one sees.
  public func vouch(for known: Set<GatewayName>) -> Bool {
    known.isSubset(of: gateways.keys) && areAgreed
  }

  /// When ``removeSilent(at:)`` or ``endRecovery(at:)`` has something to do.
  public var nextDeadline: ContinuousClock.Instant? {
    var moments = gateways.values.map { $0.lastHeard + silence }
    if case .running(let until, _) = recovery { moments.append(until) }
    return moments.min()
  }

  /// A gateway spoke.
  ///
  /// - Parameter run: Differs after each start of the gateway; `nil` if it did not say.
  /// - Returns: Whether it was started anew: whom it had before is orphaned.
  public mutating func hear(
    _ name: GatewayName, run: UInt64?, at now: ContinuousClock.Instant
  ) -> Bool {
    let known = gateways[name]
    // Who spoke before it said which run it is may have been the run before.
    let isNewRun = known != nil && run != nil && known?.run != run
    var gateway = isNewRun ? Gateway(lastHeard: now) : known ?? Gateway(lastHeard: now)
    gateway.run = run ?? gateway.run
    if now - gateway.lastHeard > Self.longestPause { gateway.lastGap = gateway.lastHeard..<now }
    gateway.lastHeard = now
    gateways[name] = gateway
    return isNewRun
  }

  /// A gateway says among which owners it shares meetings out.
  public mutating func hear(_ name: GatewayName, seeing membership: UInt64) {
    gateways[name]?.membership = membership
  }

  /// This owner sees other owners than before.
  ///
  /// - Parameter mayGain: Whether meetings may come to it that others had: it recovers once more,
  ///   until all gateways have said whom they have there.
  public mutating func see(
    _ membership: UInt64, mayGain: Bool, at now: ContinuousClock.Instant
  ) {
    guard membership != self.membership else { return }
    let isFirstLook = self.membership == 0
    self.membership = membership
    guard mayGain else { return }
    // What was announced before was about other meetings, or is forgotten with them.
    for (name, gateway) in gateways {
      let isAgreed = gateway.membership == membership || gateway.membership == 0
      if !isFirstLook || !isAgreed { gateways[name]?.hasAnnounced = false }
    }
    // Whom it waits for is looked up anew.
    recovery = .running(until: now + recoveryTime, awaiting: nil)
  }

  /// How much of a client's silence, as its gateway reports it, is the client's own.
  ///
  /// A gateway that stood still read nothing meanwhile, and may take that for the silence of its
  /// clients. So the time in which the gateway itself was not heard does not count.
  ///
  /// - Parameter reported: How long the gateway has not heard the client, up to now.
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

  /// The owner stood still: what it did not hear meanwhile is nobody's silence, and recovery waits
  /// longer.
  public mutating func excuseSilence(of stall: Duration) {
    for name in gateways.keys { gateways[name]?.lastHeard += stall }
    if case .running(let until, let awaiting) = recovery {
      recovery = .running(until: until + stall, awaiting: awaiting)
    }
  }

  /// A gateway has no more sessions to announce.
  ///
  /// - Parameter membership: Among which owners it then shared meetings out; 0: it does not say.
  public mutating func didAnnounce(_ name: GatewayName, seeing membership: UInt64 = 0) {
    let isAgreed = membership == self.membership || membership == 0 || self.membership == 0
    gateways[name]?.hasAnnounced = isAgreed
    if membership > 0 { gateways[name]?.membership = membership }
  }

  /// Forgets the gateways that are gone.
  ///
  /// - Returns: Their names, in order.
  public mutating func removeSilent(at now: ContinuousClock.Instant) -> [GatewayName] {
    let silent = gateways.filter { $0.value.lastHeard + silence <= now }.keys.sorted()
    for name in silent { gateways[name] = nil }
    return silent
  }

  /// Forgets the gateways that are not among these: where they do not say by themselves that they
  /// live.
  public mutating func keep(only names: Set<GatewayName>) {
    gateways = gateways.filter { names.contains($0.key) }
  }

  /// Which gateways live as the registry has it: recovery waits for these and for all that spoke.
  public mutating func expect(_ names: Set<GatewayName>) {
    guard case .running(let until, _) = recovery else { return }
    recovery = .running(until: until, awaiting: names)
  }

  /// Ends recovery if all have announced their sessions, or its time is up.
  ///
  /// - Returns: Whether it ended.
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
