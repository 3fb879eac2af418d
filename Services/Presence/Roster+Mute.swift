import MeetingModel
import Ownership

// Changes mutes, capabilities, bars and locks.
extension Roster {
  /// Mutes or unmutes a client at the client's own request.
  ///
  /// Does not check the client's capability to send audio, because `media` enforces it.
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

  /// Mutes an attendee on a host's request, as if the attendee's client had requested the mute. The
  /// client may unmute itself.
  ///
  /// Hosts cannot unmute attendees, so this method has no counterpart. The method does not change
  /// absent attendees.
  mutating func mute(_ attendee: AttendeeID) throws(PresenceError) -> [RosterEffect] {
    let affected = participants.all(of: attendee).filter { !$0.id.isContent }
    guard !affected.isEmpty || !isRecovering else { throw .recovering }
    return change(affected) {
      $0.mute.isOwn = true
      $0.mute.isUnknown = false
    }
  }

  /// Mutes an attendee and its content share at an operator's request, or ends an operator's mute.
  ///
  /// Remembers the decision for ``PresenceRules/decisionMemory``, because an absent attendee may be
  /// about to join.
  mutating func setMutedByOperator(
    _ attendee: AttendeeID, to isMuted: Bool, at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    decide(on: attendee, at: now) { $0.isMuted = isMuted }
    return change(participants.all(of: attendee)) { $0.mute.isByOperator = isMuted }
  }

  /// Changes the capabilities of an attendee and its content share. Remembers the decision for
  /// ``PresenceRules/decisionMemory``.
  mutating func setCapabilities(
    _ attendee: AttendeeID, to capabilities: AttendeeCapabilities, at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    decide(on: attendee, at: now) { $0.capabilities = capabilities }
    return change(participants.all(of: attendee)) { $0.capabilities = capabilities }
  }

  /// Bars an attendee and its content share at a host's or an operator's request, or readmits them.
  ///
  /// Remembers the decision for ``PresenceRules/decisionMemory``. The store rejects later joins.
  mutating func setBarred(
    _ attendee: AttendeeID, to isBarred: Bool, at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    decide(on: attendee, at: now) { $0.isBarred = isBarred }
    return isBarred ? sendAway(attendee, at: now) : []
  }

  /// Locks or unlocks the meeting at a host's or an operator's request. Remembers the decision for
  /// ``PresenceRules/decisionMemory``.
  mutating func setLocked(to isLocked: Bool, at now: ContinuousClock.Instant) {
    lock = (isLocked, now)
  }

  /// Throws an error if a decision of a host or an operator excludes a session.
  ///
  /// A locked meeting admits attendees that are present, or that were present before this owner
  /// took over. It also admits their content shares. It also admits an attendee whom a host or an
  /// operator has just readmitted.
  func checkDecisions(
    on session: AnnouncedSession, as arrival: SessionArrival, at now: ContinuousClock.Instant
  ) throws(PresenceError) {
    let attendee = session.participant.attendee
    if let decision = decisions[attendee], let isBarred = decision.isBarred,
      now < decision.moment + rules.decisionMemory
    {
      guard isBarred else { return }
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

/// A recent decision of an operator about an attendee.
struct OperatorDecision: Hashable, Sendable {
  var moment: ContinuousClock.Instant
  var isMuted: Bool?
  var capabilities: AttendeeCapabilities?
  var isBarred: Bool?
}
