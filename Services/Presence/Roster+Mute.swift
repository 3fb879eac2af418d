import MeetingModel
import Ownership

// Who may be heard, and what an attendee may do.
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
    return change([participant]) { $0.mute.isOwn = isMuted }
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
}
