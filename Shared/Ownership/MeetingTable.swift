public import MeetingModel

/// All meetings of one owner, and the gateways that speak for their clients.
///
/// A value. What must be done gathers in order, also when a change throws; ``takeEffects()`` hands
/// it over. It keeps each meeting's deadline, loses whom a vanished gateway had, ends recovery and
/// forgets meetings in which nothing is left.
public struct MeetingTable<State: MeetingState>: Sendable {
  /// Which gateways live, and whether all have said whom they have.
  public private(set) var gateways: GatewayTable

  /// Call ``advance(to:)`` then; it may be earlier than need be. `nil`: nothing will happen by
  /// itself.
  public private(set) var nextDeadline: ContinuousClock.Instant?

  /// Among which instances meetings are shared out; `nil`: all are here.
  public private(set) var share: MeetingShare?

  private let gatewaySilence: Duration
  private var states: [MeetingID: State] = [:]

  /// Meetings that may lack somebody who is connected.
  private var recovering: Set<MeetingID> = []

  /// Meetings of others that are still here, until all gateways ask those.
  private var ceded: Set<MeetingID> = []

  /// Meetings that are over, and remembered for a while.
  private var ended: Set<MeetingID> = []
  private var deadlines: [MeetingID: ContinuousClock.Instant] = [:]
  private var effects: [MeetingEffect<State.Effect>] = []

  /// A new owner, which knows nothing yet.
  public init(timing: OwnerTiming, at now: ContinuousClock.Instant) {
    gatewaySilence = timing.gatewaySilence
    gateways = GatewayTable(
      silence: timing.gatewaySilence, recovery: timing.recovery, at: now)
    nextDeadline = gateways.nextDeadline
  }

  // MARK: What it knows

  /// Whether meetings may lack somebody who is connected: a snapshot would tell false departures.
  public var isRecovering: Bool { gateways.isRecovering }

  /// Whether a meeting may lack somebody who is connected. One that was here all the time does not,
  /// also while others are taken over.
  public func isRecovering(_ meeting: MeetingID) -> Bool {
    states[meeting] == nil ? isRecovering : recovering.contains(meeting)
  }

  /// Whether what is asked of a meeting is answered here: it belongs to this instance, or is still
  /// here.
  public func serves(_ meeting: MeetingID) -> Bool {
    owns(meeting) || states[meeting] != nil
  }

  private func owns(_ meeting: MeetingID) -> Bool { share?.contains(meeting) ?? true }

  /// How many meetings belong here that have not ended.
  public var count: Int { states.count - ceded.union(ended).count }

  /// What is known, in no order.
  public var all: some Collection<State> { states.values }

  /// What is known of a meeting; `nil` if nothing is.
  public subscript(meeting: MeetingID) -> State? { states[meeting] }

  /// What must be done, in order. It is handed over once.
  public mutating func takeEffects() -> [MeetingEffect<State.Effect>] {
    defer { effects = [] }
    return effects
  }

  /// Takes those out that are to be done otherwise; the others keep their order.
  public mutating func takeEffects(
    where isWanted: (MeetingEffect<State.Effect>) -> Bool
  ) -> [MeetingEffect<State.Effect>] {
    guard effects.contains(where: isWanted) else { return [] }
    defer { effects.removeAll(where: isWanted) }
    return effects.filter(isWanted)
  }

  // MARK: Changing a meeting

  /// Changes a meeting that is served here; it begins with this if it is not known.
  ///
  /// - Parameters:
  ///   - make: Makes the state of a meeting that is new; it gets whether the owner is recovering.
  ///   - body: Says what must be done.
  public mutating func change<Failure: Error>(
    _ meeting: MeetingID, else make: (_ isRecovering: Bool) -> State,
    _ body: (inout State) throws(Failure) -> [State.Effect]
  ) throws(Failure) {
    defer { reschedule(meeting) }
    let isRecovering = isRecovering
    assert(serves(meeting), "Of another's meeting nothing is known here that is whole.")
    if states[meeting] == nil, isRecovering { recovering.insert(meeting) }
    let wanted = try body(&states[meeting, default: make(isRecovering)])
    effects += wanted.map { .decided($0, in: meeting) }
  }

  /// Changes a meeting. Nothing happens if it is not known.
  public mutating func changeKnown(
    _ meeting: MeetingID, _ body: (inout State) -> [State.Effect]
  ) {
    guard let index = states.index(forKey: meeting) else { return }
    effects += body(&states.values[index]).map { .decided($0, in: meeting) }
    reschedule(meeting)
  }

  private mutating func changeAll(_ body: (inout State) -> [State.Effect]) {
    for meeting in states.keys.sorted() { changeKnown(meeting, body) }
  }

  // MARK: Sharing

  /// Takes in among which instances meetings are shared out.
  ///
  /// What came to others stays here, and is answered for, until all gateways ask those. What others
  /// may have had is taken over only when all gateways have said whom they have there; what comes
  /// back begins anew. No other meeting notices.
  public mutating func take(_ share: MeetingShare, at now: ContinuousClock.Instant) {
    guard share != self.share else { return }
    let mayGain = share.mayGain(since: self.share)
    for meeting in ceded where share.contains(meeting) { forget(meeting) }
    self.share = share
    ceded = Set(states.keys.filter { !share.contains($0) })
    gateways.see(share.membership.fingerprint, mayGain: mayGain, at: now)
    forgetCeded()
    finishRecovery(at: now)
    if let next = gateways.nextDeadline { schedule(next) }
  }

  private mutating func forgetCeded() {
    guard !ceded.isEmpty, gateways.areAgreed else { return }
    for meeting in ceded.sorted() { forget(meeting) }
  }

  // MARK: Gateways

  /// A gateway spoke.
  ///
  /// - Parameter run: Differs after each start of the gateway; `nil` if it did not say. A new one
  ///   orphans whom the gateway had before.
  public mutating func hear(
    _ gateway: GatewayName, run: UInt64?, at now: ContinuousClock.Instant
  ) {
    if gateways.hear(gateway, run: run, at: now) { lose(gateway, at: now) }
    schedule(now + gatewaySilence)
  }

  /// A gateway says that it is alive.
  ///
  /// - Parameter membership: Among which owners it shares meetings out; 0: it does not say.
  /// - Returns: Whether it has to announce its sessions.
  public mutating func gatewayIsAlive(
    _ gateway: GatewayName, run: UInt64, seeing membership: UInt64 = 0,
    at now: ContinuousClock.Instant
  ) -> Bool {
    hear(gateway, run: run, at: now)
    gateways.hear(gateway, seeing: membership)
    forgetCeded()
    return !gateways.hasAnnounced(gateway)
  }

  /// Takes in a part of what a gateway announces.
  ///
  /// A gateway may see before the owner that a meeting has come to it. That meeting is left out:
  /// the owner would have one gateway's sessions, and take them for all. Once it sees the same it
  /// asks the gateway again.
  ///
  /// - Parameter take: Takes the sessions of one meeting in; called for each meeting that is served
  ///   here, in order.
  public mutating func announce<Session>(
    _ part: AnnouncementPage<Session>, at now: ContinuousClock.Instant,
    _ take: (inout Self, MeetingID, [Session]) -> Void
  ) {
    hear(part.gateway, run: part.run, at: now)
    let byMeeting = Dictionary(grouping: part.sessions, by: \.meeting).filter { serves($0.key) }
    for (meeting, sessions) in byMeeting.sorted(by: { $0.key < $1.key }) {
      take(&self, meeting, sessions.map(\.session))
    }
    if part.isLast { gateways.didAnnounce(part.gateway, seeing: part.membership) }
    forgetCeded()
    finishRecovery(at: now)
  }

  /// Which gateways are alive as the registry has it: recovery waits for these and for all that
  /// were heard.
  public mutating func expect(
    _ names: Set<GatewayName>, at now: ContinuousClock.Instant
  ) {
    gateways.expect(names)
    finishRecovery(at: now)
  }

  private mutating func lose(_ gateway: GatewayName, at now: ContinuousClock.Instant) {
    changeAll { $0.loseGateway(gateway, at: now) }
  }

  private mutating func finishRecovery(at now: ContinuousClock.Instant) {
    guard gateways.endRecovery(at: now) else { return }
    let meetings = recovering.sorted()
    recovering = []
    for meeting in meetings { changeKnown(meeting) { $0.endRecovery(at: now) } }
  }

  /// How much of a client's silence is the client's own, see
  /// ``GatewayTable/credibleSilence(_:from:at:)``.
  ///
  /// - Parameter gateway: Who reports it; `nil` if that is not known.
  public func credibleSilence(
    _ reported: Duration, from gateway: GatewayName?, at now: ContinuousClock.Instant
  ) -> Duration {
    gateway.map { gateways.credibleSilence(reported, from: $0, at: now) } ?? reported
  }

  // MARK: Time

  /// Does everything that is due.
  public mutating func advance(to now: ContinuousClock.Instant) {
    for name in gateways.removeSilent(at: now) { lose(name, at: now) }
    forgetCeded()
    finishRecovery(at: now)
    for meeting in deadlines.filter({ $0.value <= now }).keys.sorted() {
      changeKnown(meeting) { $0.advance(to: now) }
      if let end = states[meeting]?.forgettableAt, end <= now { forget(meeting) }
    }
    setNextDeadline()
  }

  /// The owner stood still so long, see ``StallWatch``: nobody's silence in that time counts.
  public mutating func excuseSilence(of stall: Duration) {
    gateways.excuseSilence(of: stall)
    for meeting in Array(states.keys) {
      states[meeting]?.excuseSilence(of: stall)
      reschedule(meeting)
    }
    setNextDeadline()
  }

  private mutating func forget(_ meeting: MeetingID) {
    states[meeting] = nil
    deadlines[meeting] = nil
    recovering.remove(meeting)
    ceded.remove(meeting)
    ended.remove(meeting)
    effects.append(.forget(meeting))
  }

  private mutating func reschedule(_ meeting: MeetingID) {
    let state = states[meeting]
    if state?.hasEnded == true { ended.insert(meeting) }
    let deadline = [state?.nextDeadline, state?.forgettableAt].compactMap(\.self).min()
    deadlines[meeting] = deadline
    if let deadline { schedule(deadline) }
  }

  private mutating func schedule(_ moment: ContinuousClock.Instant) {
    nextDeadline = nextDeadline.map { min($0, moment) } ?? moment
  }

  private mutating func setNextDeadline() {
    nextDeadline = gateways.nextDeadline
    if let earliest = deadlines.values.min() { schedule(earliest) }
  }
}
