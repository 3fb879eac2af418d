import MeetingModel

/// All meetings of one presence instance, and the gateways that speak for their clients.
///
/// A value like ``Roster``. What must be published gathers in order, also when an operation throws;
/// ``takeEffects()`` hands it over.
struct Meetings: Sendable {
  let rules: PresenceRules

  private var rosters: [MeetingID: Roster] = [:]
  private var gateways: GatewayTable
  private var effects: [MeetingEffect] = []
  private var deadlines: [MeetingID: ContinuousClock.Instant] = [:]

  /// Call ``advance(to:)`` then; it may be earlier than need be. `nil`: nothing will happen by
  /// itself.
  private(set) var nextDeadline: ContinuousClock.Instant?

  /// A new owner, which knows nothing yet.
  init(rules: PresenceRules, at now: ContinuousClock.Instant) {
    self.rules = rules
    gateways = GatewayTable(
      silence: rules.gatewaySilence, recovery: rules.recovery, at: now)
    nextDeadline = gateways.nextDeadline
  }

  // MARK: What it knows

  /// Whether rosters may lack somebody who is connected: a snapshot would tell false departures.
  var isRecovering: Bool { gateways.isRecovering }

  var meetingCount: Int { rosters.count }

  /// Attendees in all meetings; content shares do not count.
  var attendeeCount: Int { rosters.values.reduce(0) { $0 + $1.attendeeCount } }

  var gatewayCount: Int { gateways.count }

  /// The roster of a meeting, if it is known.
  func roster(of meeting: MeetingID) -> Roster? { rosters[meeting] }

  /// What must be done, in order. It is handed over once.
  mutating func takeEffects() -> [MeetingEffect] {
    defer { effects = [] }
    return effects
  }

  // MARK: Sessions

  /// Makes the meeting known, so that its stream has a beginning.
  mutating func open(_ meeting: MeetingID, at now: ContinuousClock.Instant) {
    change(meeting, at: now) { _ in [] }
  }

  /// A client opened or resumed a session.
  ///
  /// - Parameter run: Differs after each start of the gateway. A new one orphans whom the gateway
  ///   had before.
  /// - Returns: Whether the session was still in the roster, so that no join was published.
  mutating func join(
    _ session: SessionDescription, in meeting: MeetingID, through gateway: GatewayName,
    run: UInt64, as admission: Admission, at now: ContinuousClock.Instant
  ) throws(PresenceError) -> Bool {
    hear(gateway, run: run, at: now)
    return try admit(session, in: meeting, through: gateway, as: admission, at: now)
  }

  /// A replica's session acts in this meeting from now on, until any disconnect.
  mutating func promote(
    _ session: SessionDescription, in meeting: MeetingID, through gateway: GatewayName,
    at now: ContinuousClock.Instant
  ) throws(PresenceError) {
    hear(gateway, run: nil, at: now)
    _ = try admit(session, in: meeting, through: gateway, as: .promotion, at: now)
  }

  private mutating func admit(
    _ session: SessionDescription, in meeting: MeetingID, through gateway: GatewayName,
    as admission: Admission, at now: ContinuousClock.Instant
  ) throws(PresenceError) -> Bool {
    var wasPresent = false
    try change(meeting, at: now) { roster throws(PresenceError) in
      let outcome = try roster.join(session, through: gateway, as: admission, at: now)
      wasPresent = outcome.wasPresent
      return outcome.effects
    }
    return wasPresent
  }

  /// The client asked to leave. Nothing happens if the session is not there.
  mutating func leave(
    _ session: SessionID, in meeting: MeetingID, at now: ContinuousClock.Instant
  ) {
    changeKnown(meeting, at: now) { $0.leave(session, as: .client, at: now) }
  }

  /// A promoted session goes back to its replica. Nothing happens if it is not there.
  mutating func demote(
    _ session: SessionID, in meeting: MeetingID, as departure: Departure,
    at now: ContinuousClock.Instant
  ) {
    changeKnown(meeting, at: now) { $0.leave(session, as: departure, at: now) }
  }

  /// A gateway lost a client that has been silent so long. `nil` for `gateway`: not known which.
  mutating func detach(
    _ session: SessionID, in meeting: MeetingID, from gateway: GatewayName?, silentFor: Duration,
    at now: ContinuousClock.Instant
  ) {
    changeKnown(meeting, at: now) {
      $0.detach(session, from: gateway, lastHeard: now - silentFor, at: now)
    }
  }

  /// A client mutes or unmutes itself.
  mutating func setMuted(
    _ session: SessionID, in meeting: MeetingID, to isMuted: Bool, at now: ContinuousClock.Instant
  ) throws(PresenceError) {
    guard rosters[meeting] != nil else { throw isRecovering ? .recovering : .unknownSession }
    try change(meeting, at: now) { roster throws(PresenceError) in
      try roster.setMuted(session, to: isMuted)
    }
  }

  // MARK: Decisions of the control plane

  /// An operator mutes an attendee, or lifts that.
  ///
  /// - Returns: Whether the attendee is muted now, if it is in the meeting.
  mutating func setMutedByOperator(
    _ attendee: AttendeeID, in meeting: MeetingID, to isMuted: Bool,
    at now: ContinuousClock.Instant
  ) -> Bool? {
    change(meeting, at: now) { $0.setMutedByOperator(attendee, to: isMuted, at: now) }
    return rosters[meeting]?.isMuted(attendee)
  }

  /// What an attendee may do has changed.
  mutating func setCapabilities(
    _ attendee: AttendeeID, in meeting: MeetingID, to capabilities: AttendeeCapabilities,
    at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.setCapabilities(attendee, to: capabilities, at: now) }
  }

  /// The attendee is deleted.
  mutating func endAttendee(
    _ attendee: AttendeeID, in meeting: MeetingID, at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.endAttendee(attendee, at: now) }
  }

  /// The meeting is over, whether anybody is in it or not.
  mutating func endMeeting(
    _ meeting: MeetingID, with status: Status, at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.endMeeting(status, at: now) }
  }

  // MARK: Media

  /// Media measured some participants.
  mutating func reportLevels(
    _ reports: [LevelReport], in meeting: MeetingID, at now: ContinuousClock.Instant
  ) {
    changeKnown(meeting, at: now) { $0.reportLevels(reports, at: now) }
  }

  // MARK: Gateways

  /// A gateway says that it is alive.
  ///
  /// - Returns: Whether it has to announce its sessions.
  mutating func gatewayIsAlive(
    _ gateway: GatewayName, run: UInt64, at now: ContinuousClock.Instant
  ) -> Bool {
    hear(gateway, run: run, at: now)
    return !gateways.hasAnnounced(gateway)
  }

  /// A gateway announces sessions that it has.
  ///
  /// - Parameter isLast: Whether it has no more.
  /// - Returns: The sessions that are over or were replaced; the gateway ends them.
  mutating func announce(
    _ sessions: [(MeetingID, SessionDescription)], isLast: Bool, by gateway: GatewayName,
    run: UInt64, at now: ContinuousClock.Instant
  ) -> [SessionID] {
    hear(gateway, run: run, at: now)
    var refused: [SessionID] = []
    let byMeeting = Dictionary(grouping: sessions, by: \.0)
    for (meeting, sessions) in byMeeting.sorted(by: { $0.key < $1.key }) {
      change(meeting, at: now) { roster in
        let outcome = roster.announce(sessions.map(\.1), through: gateway, at: now)
        refused += outcome.refused
        return outcome.effects
      }
    }
    if isLast { gateways.didAnnounce(gateway) }
    finishRecovery(at: now)
    return refused
  }

  /// Which gateways are alive as the registry has it: recovery waits for these and for all that
  /// were heard.
  mutating func expect(_ names: Set<GatewayName>, at now: ContinuousClock.Instant) {
    gateways.expect(names)
    finishRecovery(at: now)
  }

  private mutating func hear(
    _ gateway: GatewayName, run: UInt64?, at now: ContinuousClock.Instant
  ) {
    if gateways.hear(gateway, run: run, at: now) { lose(gateway, at: now) }
    schedule(now + rules.gatewaySilence)
  }

  private mutating func lose(_ gateway: GatewayName, at now: ContinuousClock.Instant) {
    for meeting in rosters.keys.sorted() {
      changeKnown(meeting, at: now) { $0.loseGateway(gateway, at: now) }
    }
  }

  private mutating func finishRecovery(at now: ContinuousClock.Instant) {
    guard gateways.endRecovery(at: now) else { return }
    for meeting in rosters.keys.sorted() {
      changeKnown(meeting, at: now) { $0.endRecovery(at: now) }
    }
  }

  // MARK: Time

  /// Does everything that is due.
  mutating func advance(to now: ContinuousClock.Instant) {
    for name in gateways.removeSilent(at: now) { lose(name, at: now) }
    finishRecovery(at: now)
    for meeting in deadlines.filter({ $0.value <= now }).keys.sorted() {
      changeKnown(meeting, at: now) { $0.advance(to: now) }
      if let end = rosters[meeting]?.forgettableAt, end <= now { forget(meeting) }
    }
    nextDeadline = gateways.nextDeadline
    if let earliest = deadlines.values.min() { schedule(earliest) }
  }

  private mutating func forget(_ meeting: MeetingID) {
    rosters[meeting] = nil
    deadlines[meeting] = nil
    effects.append(.forget(meeting))
  }

  private mutating func schedule(_ moment: ContinuousClock.Instant) {
    nextDeadline = nextDeadline.map { min($0, moment) } ?? moment
  }

  // MARK: Changing a roster

  private mutating func change<Failure: Error>(
    _ meeting: MeetingID, at now: ContinuousClock.Instant,
    _ body: (inout Roster) throws(Failure) -> [RosterEffect]
  ) throws(Failure) {
    defer { reschedule(meeting) }
    let new = Roster(rules: rules, isRecovering: isRecovering, at: now)
    let effects = try body(&rosters[meeting, default: new])
    add(effects, of: meeting, at: now)
  }

  private mutating func changeKnown(
    _ meeting: MeetingID, at now: ContinuousClock.Instant,
    _ body: (inout Roster) -> [RosterEffect]
  ) {
    if rosters[meeting] != nil { change(meeting, at: now, body) }
  }

  private mutating func reschedule(_ meeting: MeetingID) {
    let roster = rosters[meeting]
    let deadline = [roster?.nextDeadline, roster?.forgettableAt].compactMap(\.self).min()
    deadlines[meeting] = deadline
    if let deadline { schedule(deadline) }
  }

  /// A demotion is done here if the primary is; otherwise its gateway asks the primary's owner.
  private mutating func add(
    _ news: [RosterEffect], of meeting: MeetingID, at now: ContinuousClock.Instant
  ) {
    for effect in news {
      switch effect {
      case .publish(let event): effects.append(.publish(event, of: meeting))
      case .publishLevels(let update): effects.append(.publishLevels(update, of: meeting))
      case .demote(let session, let primary, let departure):
        changeKnown(primary, at: now) { $0.leave(session, as: departure, at: now) }
      }
    }
  }
}

/// What must be done about a meeting.
enum MeetingEffect: Hashable, Sendable {
  case publish(RosterEvent, of: MeetingID)
  case publishLevels(LevelsUpdate, of: MeetingID)
  /// The meeting is known no more: its stream ends here.
  case forget(MeetingID)
}
