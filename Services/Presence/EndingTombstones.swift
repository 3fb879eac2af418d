import MeetingModel

/// The sessions and promotions that ended in one meeting, and the attendees that an operator
/// deleted from this meeting. None of them may begin again.
///
/// A client or gateway that has not learned of an end yet may send a late request for an ended
/// session, a deleted attendee or an ended promotion.
///
/// The type stores the endings for ``PresenceRules/endingMemory``, and at most
/// ``PresenceRules/rememberedEndings`` of each kind.
struct EndingTombstones: Sendable {
  private var sessions: BoundedCache<SessionID, Status>
  private var attendees: BoundedCache<AttendeeID, Bool>
  /// For each session, whether an operator ended its last promotion.
  private var promotions: BoundedCache<SessionID, Bool>

  init(rules: PresenceRules) {
    let (most, retention) = (rules.rememberedEndings, rules.endingMemory)
    sessions = BoundedCache(limit: most, retention: retention)
    attendees = BoundedCache(limit: most, retention: retention)
    promotions = BoundedCache(limit: most, retention: retention)
  }

  /// Returns the status with which a session ended; `nil` if this value does not store the
  /// session's end.
  func status(of session: SessionID) -> Status? { sessions[session] }

  /// Returns whether an operator deleted an attendee.
  func isDeleted(_ attendee: AttendeeID) -> Bool { attendees[attendee] != nil }

  /// Returns whether an operator ended the last promotion of a session.
  func isDemoted(_ session: SessionID) -> Bool { promotions[session] == true }

  mutating func end(_ session: SessionID, with status: Status, at now: ContinuousClock.Instant) {
    sessions.remember(status, for: session, at: now)
  }

  mutating func delete(_ attendee: AttendeeID, at now: ContinuousClock.Instant) {
    attendees.remember(true, for: attendee, at: now)
  }

  mutating func demote(_ session: SessionID, at now: ContinuousClock.Instant) {
    promotions.remember(true, for: session, at: now)
  }

  /// Records that `presence` admitted a session. If an operator ended the session's former
  /// promotion, gateways may announce a new promotion of the session.
  mutating func letIn(_ session: SessionID, at now: ContinuousClock.Instant) {
    if promotions[session] != nil { promotions.remember(false, for: session, at: now) }
  }
}
