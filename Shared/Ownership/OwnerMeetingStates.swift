public import MeetingModel

/// The table of all meetings of one owner, and of the gateways that report the sessions of these
/// meetings.
///
/// The table is a value. The table collects effects in order, even when a change throws an error;
/// ``takeEffects()`` returns the collected effects. The table tracks the deadline of each meeting,
/// orphans the sessions of a gateway that disappeared, and ends recovery. The table also removes
/// state that nobody needs.
public struct OwnerMeetingStates<State: MeetingState>: Sendable {
  /// The live gateways, and whether all of them have announced their sessions.
  public private(set) var gateways: GatewayTable

  /// The time at which the caller must next call ``advance(to:)``; `nil` if no timer is pending.
  /// This time may be earlier than necessary.
  public private(set) var nextDeadline: ContinuousClock.Instant?

  /// The meetings that this instance owns; `nil` if this instance owns all meetings.
  public private(set) var share: OwnedMeetings?

  private let gatewaySilence: Duration
  private var states: [MeetingID: State] = [:]

  /// Meetings whose state may still lack some connected attendees.
  private var recovering: Set<MeetingID> = []

  /// Meetings of other owners that this owner serves until all gateways send requests to those
  /// owners.
  private var ceded: Set<MeetingID> = []

  /// The ended meetings whose state the table still keeps.
  private var ended: Set<MeetingID> = []
  private var deadlines: [MeetingID: ContinuousClock.Instant] = [:]
  private var effects: [MeetingEffect<State.Effect>] = []

  /// Makes the table of a new owner that has no state yet.
  public init(timing: OwnerGracePeriods, at now: ContinuousClock.Instant) {
    gatewaySilence = timing.gatewaySilence
    gateways = GatewayTable(
      silence: timing.gatewaySilence, recovery: timing.recovery, at: now)
    nextDeadline = gateways.nextDeadline
  }

  // MARK: State

  /// Whether the state of some meetings may still lack connected attendees. A snapshot of an
  /// incomplete meeting would report false departures to a client.
  public var isRecovering: Bool { gateways.isRecovering }

  /// Returns whether the state of a meeting may still lack connected attendees.
  ///
  /// If this instance has owned a meeting without interruption, the state of this meeting includes
  /// all attendees, even while the instance takes over other meetings.
  public func isRecovering(_ meeting: MeetingID) -> Bool {
    states[meeting] == nil ? isRecovering : recovering.contains(meeting)
  }

  /// Returns whether this instance answers requests for a meeting, because this instance owns the
  /// meeting or still has the meeting's state.
  public func serves(_ meeting: MeetingID) -> Bool {
    owns(meeting) || states[meeting] != nil
  }

  private func owns(_ meeting: MeetingID) -> Bool { share?.contains(meeting) ?? true }

  /// The number of owned meetings that have not ended.
  public var count: Int { states.count - ceded.union(ended).count }

  /// The states of all meetings, in no particular order.
  public var all: some Collection<State> { states.values }

  /// The state of a meeting; `nil` if the meeting is unknown.
  public subscript(meeting: MeetingID) -> State? { states[meeting] }

  /// Returns the pending effects in order, and removes them.
  public mutating func takeEffects() -> [MeetingEffect<State.Effect>] {
    defer { effects = [] }
    return effects
  }

  /// Returns and removes the matching effects. The other effects keep their order.
  public mutating func takeEffects(
    where isWanted: (MeetingEffect<State.Effect>) -> Bool
  ) -> [MeetingEffect<State.Effect>] {
    guard effects.contains(where: isWanted) else { return [] }
    defer { effects.removeAll(where: isWanted) }
    return effects.filter(isWanted)
  }

  // MARK: Changing a meeting

  /// Changes a meeting that this instance serves, and creates the meeting's state if the meeting is
  /// unknown.
  ///
  /// - Parameters:
  ///   - make: Makes the state of a new meeting; receives whether the owner is recovering.
  ///   - body: Changes the state and returns the effects.
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

  /// Changes a meeting. Does nothing if the meeting is unknown.
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

  /// Updates the instances that share the meetings.
  ///
  /// The table keeps and serves meetings that moved to other owners, until all gateways send
  /// requests to those owners. The table takes over meetings from other owners only after all
  /// gateways have announced their sessions to this owner. A meeting that moves back to this owner
  /// starts with empty state. Other meetings continue.
  public mutating func take(_ share: OwnedMeetings, at now: ContinuousClock.Instant) {
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

  /// Records that a gateway is alive.
  ///
  /// - Parameter run: A number that changes with each start of the gateway; `nil` if the gateway
  ///   did not report the number. A new number orphans the sessions of the gateway's previous run.
  public mutating func hear(
    _ gateway: GatewayName, run: UInt64?, at now: ContinuousClock.Instant
  ) {
    if gateways.hear(gateway, run: run, at: now) { lose(gateway, at: now) }
    schedule(now + gatewaySilence)
  }

  /// Processes a gateway's heartbeat.
  ///
  /// - Parameter membership: The fingerprint of the owners among which the gateway distributes
  ///   meetings; 0 if the gateway did not report a fingerprint.
  /// - Returns: Whether the gateway must announce its sessions.
  public mutating func gatewayIsAlive(
    _ gateway: GatewayName, run: UInt64, seeing membership: UInt64 = 0,
    at now: ContinuousClock.Instant
  ) -> Bool {
    hear(gateway, run: run, at: now)
    gateways.hear(gateway, seeing: membership)
    forgetCeded()
    return !gateways.hasAnnounced(gateway)
  }

  /// Adds one page of a gateway's announcement.
  ///
  /// A gateway may know earlier than this owner that a meeting has moved to this owner. In this
  /// case, the table skips the sessions of this meeting. Otherwise this owner would treat one
  /// gateway's sessions as all sessions of the meeting. As soon as this owner knows the same set of
  /// owners as the gateway, this owner asks the gateway to announce its sessions again.
  ///
  /// - Parameter take: Adds the sessions of one meeting. Called in order for each meeting that this
  ///   instance serves.
  public mutating func announce<Session>(
    _ part: SessionAnnouncementPage<Session>, at now: ContinuousClock.Instant,
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

  /// Sets the gateways that are alive according to the registry.
  ///
  /// Recovery waits for these gateways and for all gateways that have sent a message.
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

  /// Returns the part of a client's reported silence that no stall of the gateway explains, see
  /// ``GatewayTable/credibleSilence(_:from:at:)``.
  ///
  /// - Parameter gateway: The gateway that reports the silence; `nil` if unknown.
  public func credibleSilence(
    _ reported: Duration, from gateway: GatewayName?, at now: ContinuousClock.Instant
  ) -> Duration {
    gateway.map { gateways.credibleSilence(reported, from: $0, at: now) } ?? reported
  }

  // MARK: Time

  /// Runs everything that is due.
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

  /// Subtracts a stall of the owner from every measured silence, see ``ProcessStallDetector``.
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
