import MeetingModel
import Ownership

// Who may be heard, what an attendee may do, and who may come at all.
extension Roster {
  /// A client mutes or unmutes itself.
  ///
  /// Whether it may send audio at all plays no part: media sees to that.
  mutating func setMuted(_ session: SessionID, to isMuted: Bool) throws(PresenceError)
    -> [RosterEffect]
  {
    guard let participant = participants[session] else {
      throw isRecovering ? .recovering : .unknownSession
    }
    guard isMuted || !participant.mute.isByOperator else { throw .mutedByOperator }
    return change([participant]) {
      $0.mute.isOwn = isMuted
      $0.mute.isUnknown = false
    }
  }

  /// An operator mutes an attendee with its content share, or lifts that. Remembered for a while if
  /// it is not here, because it may be about to come.
  mutating func setMutedByOperator(
    _ attendee: AttendeeID, to isMuted: Bool, at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    decide(on: attendee, at: now) { $0.isMuted = isMuted }
    return change(participants.all(of: attendee)) { $0.mute.isByOperator = isMuted }
  }

  /// An attendee and its content share may do other things from now on. Remembered likewise.
  mutating func setCapabilities(
    _ attendee: AttendeeID, to capabilities: AttendeeCapabilities, at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    decide(on: attendee, at: now) { $0.capabilities = capabilities }
    return change(participants.all(of: attendee)) { $0.capabilities = capabilities }
  }

  /// An operator sends an attendee away, with its content share, or allows it to come back.
  /// Remembered likewise; who comes later has been refused by the store.
  mutating func setBarred(
    _ attendee: AttendeeID, to isBarred: Bool, at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    decide(on: attendee, at: now) { $0.isBarred = isBarred }
    return isBarred ? sendAway(attendee, at: now) : []
  }

  /// An operator locks the meeting, or opens it. Remembered likewise.
  mutating func setLocked(to isLocked: Bool, at now: ContinuousClock.Instant) {
    lock = (isLocked, now)
  }

  /// Whether what operators decided keeps a session out.
  ///
  /// A locked meeting lets in who is there already or was before this owner, and their shares.
  func checkDecisions(
    on session: AnnouncedSession, as arrival: Arrival, at now: ContinuousClock.Instant
  ) throws(PresenceError) {
    let attendee = session.participant.attendee
    if let decision = decisions[attendee], decision.isBarred == true,
      now < decision.moment + rules.decisionMemory
    {
      throw arrival == .announcement ? .sessionEnded(.barred) : .barred
    }
    let isKnown = lock.map { now < $0.moment + rules.decisionMemory } ?? false
    let isLocked = isKnown ? lock?.isLocked ?? false : session.isLocked
    let wasHere = arrival == .announcement || arrival == .resume && isRecovering
    guard isLocked, !wasHere, participants.all(of: attendee).isEmpty else { return }
    throw .meetingLocked
  }

  private mutating func change(
    _ affected: [Participant], _ body: (inout Participant) -> Void
  ) -> [RosterEffect] {
    var changes = RosterChanges()
    for before in affected {
      var participant = before
      body(&participant)
      changes.compare(before, with: &participant)
      participants.put(participant)
    }
    return effects(of: changes)
  }

  private mutating func decide(
    on attendee: AttendeeID, at now: ContinuousClock.Instant,
    _ body: (inout OperatorDecision) -> Void
  ) {
    decisions = decisions.filter { now < $0.value.moment + rules.decisionMemory }
    var decision = decisions[attendee] ?? OperatorDecision(moment: now)
    decision.moment = now
    body(&decision)
    decisions[attendee] = decision
  }
}

/// What an operator decided about an attendee a moment ago.
struct OperatorDecision: Hashable, Sendable {
  var moment: ContinuousClock.Instant
  var isMuted: Bool?
  var capabilities: AttendeeCapabilities?
  var isBarred: Bool?
}
