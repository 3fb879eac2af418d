import MeetingModel
import Ownership

/// The participants of one meeting, and the decisions about the meeting.
///
/// The roster is a value. Callers pass in events and the present time. The roster returns the
/// events to publish, in order. Applying all published events always yields ``entries``, and each
/// join has exactly one departure. An operation that throws changes nothing.
///
/// A roster *recovers* after a new owner took over. During recovery, the gateway of an absent
/// participant may not have announced the participant's session yet. So the roster publishes no
/// departures, unless the meeting ends.
struct Roster: MeetingState {
  let rules: PresenceRules

  /// The kind of the meeting; `nil` before the first join.
  private(set) var kind: RosterKind?

  private var phase: Phase
  var participants: RosterParticipants
  var pendingLevels: PendingLevels
  private var ownCapacity: Int?
  private var emptySince: ContinuousClock.Instant?
  private var endings: EndingTombstones
  var decisions: [AttendeeID: OperatorDecision] = [:]
  /// The last decision of a host or an operator to lock or unlock the meeting, and the time at
  /// which this owner received the decision; `nil` if there was no decision.
  var lock: (isLocked: Bool, moment: ContinuousClock.Instant)?

  private enum Phase: Hashable {
    case recovering
    case settled
    case ended(Status, at: ContinuousClock.Instant)
  }

  init(rules: PresenceRules, isRecovering: Bool, at now: ContinuousClock.Instant) {
    self.rules = rules
    phase = isRecovering ? .recovering : .settled
    participants = RosterParticipants(rules: rules)
    pendingLevels = PendingLevels(interval: rules.levelsInterval)
    emptySince = now
    endings = EndingTombstones(rules: rules)
  }

  // MARK: State

  /// The visible participants, in the order of joins; empty for a replica.
  var entries: [RosterEntry] {
    switch kind {
    case .replica: []
    case .ordinary, nil: everybody
    }
  }

  /// All participants, visible or invisible, in the order of joins.
  var everybody: [RosterEntry] { participants.inOrder.map(\.entry) }

  /// The number of present attendees, visible or invisible, not counting content shares.
  var attendeeCount: Int { participants.seatsTaken }

  /// Whether no participant has a session at a live gateway.
  var isUnattended: Bool { !participants.hasConnected }

  /// The maximum number of present attendees: the smaller of the meeting's own limit and the rules'
  /// limit.
  var capacity: Int { min(rules.maxAttendees, ownCapacity ?? .max) }

  /// Returns whether an attendee is muted; `nil` if the attendee is not present.
  func isMuted(_ attendee: AttendeeID) -> Bool? {
    participants[ParticipantID(attendee)]?.mute.isMuted
  }

  /// Throws if a previously admitted session has ended.
  func checkIsLetIn(_ session: SessionID) throws(PresenceError) {
    if let status = endings.status(of: session) { throw .sessionEnded(status) }
    if case .ended(let status, _) = phase { throw .meetingEnded(status) }
  }

  /// Returns the time at which a session's participant joined, in milliseconds since 1970; `nil`
  /// for a session without a participant.
  func joinedAtMs(of session: SessionID) -> UInt64? { participants[session]?.joinedAtMs }

  /// Throws unless a previously promoted session still acts as `participant`.
  func checkIsPromoted(_ session: SessionID, as participant: ParticipantID) throws(PresenceError) {
    guard participants[session]?.id == participant else { throw .sessionEnded(.joinedElsewhere) }
  }

  /// The time at which ``advance(to:)`` is due next; `nil` if no timer is pending.
  var nextDeadline: ContinuousClock.Instant? {
    let departure = isRecovering ? nil : participants.earliestEnd
    return [departure, pendingLevels.due].compactMap(\.self).min()
  }

  /// The time at which the owner may forget the meeting without a loss; `nil` while the owner must
  /// keep the meeting.
  var forgettableAt: ContinuousClock.Instant? {
    switch phase {
    case .recovering: nil
    case .settled: emptySince.map { $0 + rules.emptyMeetingRetention }
    case .ended(_, let moment): moment + rules.endedMeetingRetention
    }
  }

  var hasEnded: Bool { if case .ended = phase { true } else { false } }

  var isRecovering: Bool { phase == .recovering }

  // MARK: Admission

  /// Admits a session, or admits it again.
  ///
  /// If the session is already present, the roster publishes only the changes of the session's
  /// description. If the participant has another session, the new session replaces the older
  /// session, which ends with status 61. While the new session is connected, the roster rejects
  /// attempts to resume or announce the older session. A message from a session's former gateway
  /// changes nothing. After the join, the mute and the capabilities in the description apply. The
  /// capacity does not apply to a participant that was present before this owner took over.
  mutating func join(
    _ session: AnnouncedSession, through gateway: GatewayName, as arrival: SessionArrival,
    at now: ContinuousClock.Instant
  ) throws(PresenceError) -> JoinOutcome {
    var changes = RosterChanges()
    let wasPresent = try admit(session, through: gateway, as: arrival, at: now, changes: &changes)
    return JoinOutcome(wasPresent: wasPresent, effects: effects(of: changes))
  }

  /// Admits the sessions that a gateway announces, and combines all changes into one event.
  ///
  /// - Returns: The rejected sessions: they have ended, or later sessions have replaced them. A
  ///   rejected session does not affect other sessions.
  mutating func announce(
    _ sessions: [AnnouncedSession], through gateway: GatewayName,
    at now: ContinuousClock.Instant
  ) -> (refused: [RejectedSessionAnnouncement<PresenceError>], effects: [RosterEffect]) {
    var changes = RosterChanges()
    var refused: [RejectedSessionAnnouncement<PresenceError>] = []
    for session in sessions {
      do {
        _ = try admit(session, through: gateway, as: .announcement, at: now, changes: &changes)
      } catch {
        refused.append(RejectedSessionAnnouncement(id: session.id, reason: error))
      }
    }
    return (refused, effects(of: changes))
  }

  private mutating func admit(
    _ session: AnnouncedSession, through gateway: GatewayName, as arrival: SessionArrival,
    at now: ContinuousClock.Instant, changes: inout RosterChanges
  ) throws(PresenceError) -> Bool {
    try checkAdmission(of: session, as: arrival)
    try checkDecisions(on: session, as: arrival, at: now)
    if arrival == .announcement, endings.isDemoted(session.id) {
      throw .sessionEnded(.demotedByOperator)
    }
    let session = corrected(session, at: now)
    let before = participants[session.participant]
    let isSame = before?.session == session.id
    if let before, isSame, isOvertaken(session, by: before, through: gateway, as: arrival) {
      // An announcement from the former gateway is no error: the former gateway will soon notice
      // that its client has moved to another gateway.
      guard arrival == .announcement else { throw .sessionEnded(.joinedElsewhere) }
      return true
    }
    if let before, !isSame, !mayReplace(before, with: session, through: gateway, as: arrival) {
      throw .sessionEnded(.joinedElsewhere)
    }
    // If the gateway repeats its announcement, the announcement may be older than calls in
    // progress.
    if arrival == .announcement, !isRecovering, isSame, let before,
      before.attendance == .present(.connected(gateway)), before.openedAtMs == session.openedAtMs,
      before.isPromoted == session.isPromoted
    {
      return true
    }
    let wasHere = arrival == .announcement || arrival == .resume && isRecovering
    let capacity = min(rules.maxAttendees, session.capacity ?? ownCapacity ?? .max)
    let hasSeat = before?.takesSeat ?? false
    guard session.participant.isContent || hasSeat || wasHere || attendeeCount < capacity else {
      throw .meetingFull(capacity: capacity)
    }
    endFormerPromotion(of: session, at: now, changes: &changes)
    endings.letIn(session.id, at: now)
    kind = session.kind
    ownCapacity = session.capacity ?? ownCapacity
    emptySince = nil
    let isPromoted =
      arrival == .promotion || session.isPromoted || isSame && before?.isPromoted == true
    guard let before else {
      add(session, through: gateway, isPromoted: isPromoted, changes: &changes)
      return wasHere && isRecovering
    }
    renew(
      before, for: session, through: gateway, isPromoted: isPromoted, at: now, changes: &changes)
    return isSame
  }

  private func checkAdmission(
    of session: AnnouncedSession, as arrival: SessionArrival
  ) throws(PresenceError) {
    if let status = endings.status(of: session.id) { throw .sessionEnded(status) }
    if case .ended(let status, _) = phase { throw .meetingEnded(status) }
    if endings.isDeleted(session.participant.attendee) {
      // A gateway announces only sessions that it has already admitted. So for an announced
      // session, the roster reports that the session has ended. If the session only now asks to
      // join, the roster refuses the join.
      throw arrival == .announcement ? .sessionEnded(.attendeeDeleted) : .attendeeDeleted
    }
    if let kind, kind != session.kind { throw .kindMismatch }
    if let holder = participants.holder(of: session.id), holder != session.participant,
      participants[holder]?.isPromoted != true
    {
      throw .sessionTaken
    }
  }

  /// Ends a session's former promotion when the session is promoted as another attendee.
  ///
  /// The session's gateway has reported this end, or is about to report this end.
  private mutating func endFormerPromotion(
    of session: AnnouncedSession, at now: ContinuousClock.Instant, changes: inout RosterChanges
  ) {
    guard let holder = participants.holder(of: session.id), holder != session.participant,
      let former = participants[holder], !former.attendance.isDeparting
    else { return }
    depart(former, as: .demoted, at: now, changes: &changes)
  }

  /// Returns whether a gateway's message is older than the client's arrival at another gateway.
  private func isOvertaken(
    _ session: AnnouncedSession, by present: Participant, through gateway: GatewayName,
    as arrival: SessionArrival
  ) -> Bool {
    present.attendance.gateway != gateway
      && arrival.isOvertaken(openedAtMs: session.openedAtMs, by: present.openedAtMs)
  }

  private func mayReplace(
    _ participant: Participant, with session: AnnouncedSession, through gateway: GatewayName,
    as arrival: SessionArrival
  ) -> Bool {
    switch arrival {
    case .start, .promotion:
      !isOvertaken(session, by: participant, through: gateway, as: arrival)
    case .resume: participant.attendance.isDeparting
    case .announcement: !participant.attendance.isConnected
    }
  }

  private mutating func add(
    _ session: AnnouncedSession, through gateway: GatewayName, isPromoted: Bool,
    changes: inout RosterChanges
  ) {
    var participant = Participant(
      identity: ParticipantIdentity(
        id: session.participant, externalUserID: session.externalUserID,
        displayName: session.displayName),
      session: session.id, attendance: .present(.connected(gateway)), mute: session.mute,
      capabilities: session.capabilities, isPromoted: isPromoted, joinedAtMs: session.joinedAtMs,
      openedAtMs: session.openedAtMs, ordinal: participants.takeOrdinal())
    participant.levels.restart(for: participant.mute)
    participants.put(participant)
    changes.presence.append(.joined(participant.entry))
  }

  private mutating func renew(
    _ before: Participant, for session: AnnouncedSession, through gateway: GatewayName,
    isPromoted: Bool, at now: ContinuousClock.Instant, changes: inout RosterChanges
  ) {
    var participant = before
    participant.session = session.id
    participant.attendance = .present(.connected(gateway))
    participant.isPromoted = isPromoted
    participant.openedAtMs = session.openedAtMs
    participant.mute = session.mute.orKnown(before.mute)
    participant.capabilities = session.capabilities
    changes.compare(before, with: &participant)
    participants.put(participant)
    if before.session != session.id {
      end(before, with: .joinedElsewhere, at: now, changes: &changes)
      changes.disconnected.append((before.session, .demoted))
    }
  }

  /// Returns the session, corrected by operators' decisions that the gateway may have missed when
  /// it read the store.
  private func corrected(
    _ session: AnnouncedSession, at now: ContinuousClock.Instant
  ) -> AnnouncedSession {
    guard let decision = decisions[session.participant.attendee],
      now < decision.moment + rules.decisionMemory
    else { return session }
    var session = session
    session.mute.isByOperator = decision.isMuted ?? session.mute.isByOperator
    session.capabilities = decision.capabilities ?? session.capabilities
    return session
  }

  // MARK: Departure

  /// Removes a session. Does nothing if the session is not present.
  mutating func leave(
    _ session: SessionID, as departure: PresenceReason, at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    guard let participant = participants[session] else { return [] }
    var changes = RosterChanges()
    depart(participant, as: departure, at: now, changes: &changes)
    return effects(of: changes)
  }

  /// Ends a session's promotion, so that the session acts only in its replica.
  ///
  /// Does nothing if the session is not promoted into this meeting, or was promoted through another
  /// gateway. The value `nil` for `gateway` matches any gateway.
  mutating func demote(
    _ session: SessionID, by gateway: GatewayName?, as departure: PresenceReason,
    at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    guard let participant = participants[session], participant.isPromoted,
      gateway == nil || gateway == participant.attendance.gateway
    else { return [] }
    return leave(session, as: departure, at: now)
  }

  /// Detaches a client. The client's gateway last received a message from the client at
  /// `lastHeard`.
  ///
  /// Does nothing if the session is not present, or has returned through another gateway. `nil` for
  /// `gateway` means that the reporting gateway is unknown. If the attendee is promoted, its
  /// promotion ends.
  mutating func detach(
    _ session: SessionID, from gateway: GatewayName?, lastHeard: ContinuousClock.Instant,
    at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    guard var participant = participants[session], let present = participant.attendance.gateway,
      gateway == nil || gateway == present
    else { return [] }
    if participant.isPromoted { return leave(session, as: .connectionLost, at: now) }
    participant.attendance = .present(
      .detached(present, lastHeard: min(lastHeard, now)))
    participants.put(participant)
    var changes = RosterChanges()
    changes.disconnected.append((session, .connectionLost))
    return effects(of: changes) + advance(to: now)
  }

  /// Orphans the sessions of a gateway that has disappeared or has restarted.
  ///
  /// The sessions may return within ``OwnerGracePeriods/gatewayGrace``.
  ///
  /// Promotions end immediately, as after any disconnect.
  mutating func loseGateway(
    _ gateway: GatewayName, at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    var changes = RosterChanges()
    for var participant in participants.inOrder
    where participant.attendance == .present(.connected(gateway)) {
      if participant.isPromoted {
        depart(participant, as: .gatewayLost, at: now, changes: &changes)
      } else {
        participant.attendance = .present(.orphaned(gateway, since: now))
        participants.put(participant)
        changes.disconnected.append((participant.session, .gatewayLost))
      }
    }
    return effects(of: changes)
  }

  /// Removes a deleted attendee and its content share.
  ///
  /// Their sessions end with status 60, and the attendee cannot join again.
  mutating func endAttendee(
    _ attendee: AttendeeID, at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    var changes = RosterChanges()
    endings.delete(attendee, at: now)
    decisions[attendee] = nil
    for participant in participants.all(of: attendee) {
      depart(participant, as: .attendeeDeleted, at: now, changes: &changes)
      end(participant, with: .attendeeDeleted, at: now, changes: &changes)
    }
    return effects(of: changes)
  }

  /// Ends the sessions of an attendee and of its content share, after a host or an operator barred
  /// the attendee.
  mutating func sendAway(
    _ attendee: AttendeeID, at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    var changes = RosterChanges()
    for participant in participants.all(of: attendee) {
      depart(participant, as: .operator, at: now, changes: &changes)
      end(participant, with: .barred, at: now, changes: &changes)
    }
    return effects(of: changes)
  }

  /// At an operator's request, ends the promotion in which a session acts as this attendee.
  ///
  /// The session then only watches, as before the promotion. The effects notify the session's
  /// gateway. Does nothing if no session is promoted as this attendee.
  ///
  /// - Returns: Whether a session was promoted, and the effects.
  /// - Throws: `recovering` while the roster does not know yet whether a session is promoted as
  ///   this attendee.
  mutating func demote(
    _ attendee: AttendeeID, at now: ContinuousClock.Instant
  ) throws(PresenceError) -> (wasPromoted: Bool, effects: [RosterEffect]) {
    guard let participant = participants[ParticipantID(attendee)], participant.isPromoted,
      !participant.attendance.isDeparting
    else {
      if isRecovering { throw .recovering }
      return (false, [])
    }
    endings.demote(participant.session, at: now)
    var changes = RosterChanges()
    depart(participant, as: .operator, at: now, changes: &changes)
    end(participant, with: .demotedByOperator, at: now, changes: &changes)
    return (true, effects(of: changes))
  }

  /// Ends the meeting: all participants leave with one last event. A second call has no effect.
  mutating func endMeeting(_ status: Status, at now: ContinuousClock.Instant) -> [RosterEffect] {
    if case .ended = phase { return [] }
    phase = .ended(status, at: now)
    var changes = RosterChanges()
    changes.meetingEnded = status
    for participant in participants.inOrder {
      depart(participant, as: .meetingEnded, at: now, changes: &changes)
    }
    return effects(of: changes)
  }

  private mutating func depart(
    _ participant: Participant, as departure: PresenceReason, at now: ContinuousClock.Instant,
    changes: inout RosterChanges
  ) {
    changes.disconnected.append((participant.session, departure))
    if isRecovering {
      var participant = participant
      participant.attendance = .departing(departure)
      participants.put(participant)
    } else {
      participants.remove(participant.id)
      if participants.isEmpty { emptySince = now }
      changes.presence.append(.departed(participant.identity, departure))
      if departure.departedState == .dropped { changes.lose(participant) }
    }
  }

  /// Ends the participant's session. A promoted session ends only in this meeting, and continues in
  /// its replica.
  private mutating func end(
    _ participant: Participant, with status: Status, at now: ContinuousClock.Instant,
    changes: inout RosterChanges
  ) {
    if !participant.isPromoted { endings.end(participant.session, with: status, at: now) }
    changes.ended.append(SessionToEnd(session: participant.session, status: status))
    changes.lose(participant)
  }

  func effects(of changes: RosterChanges) -> [RosterEffect] {
    changes.effects(in: kind ?? .ordinary)
  }

  // MARK: Time

  /// Carries out the work that is due: drops participants that were silent for too long, and
  /// publishes levels.
  mutating func advance(to now: ContinuousClock.Instant) -> [RosterEffect] {
    var changes = RosterChanges()
    if !isRecovering {
      for (participant, departure) in participants.overdue(at: now) {
        depart(participant, as: departure, at: now, changes: &changes)
      }
    }
    return effects(of: changes) + flushLevels(at: now)
  }

  /// Subtracts the duration of a stall of this process from every measured silence.
  mutating func excuseSilence(of stall: Duration) { participants.excuseSilence(of: stall) }

  /// Ends recovery. The caller waits until all gateways have announced their sessions, or until a
  /// timeout.
  ///
  /// Publishes the delayed departures. After recovery, the roster publishes departures immediately.
  mutating func endRecovery(at now: ContinuousClock.Instant) -> [RosterEffect] {
    guard isRecovering else { return [] }
    phase = .settled
    if participants.isEmpty { emptySince = now }
    var changes = RosterChanges()
    for participant in participants.inOrder {
      if case .departing(let departure) = participant.attendance {
        depart(participant, as: departure, at: now, changes: &changes)
      }
    }
    return effects(of: changes) + advance(to: now)
  }
}
