import MeetingModel

/// What is over in one meeting and must not begin again: who asks for it may not have heard yet.
///
/// Remembered for as long as ``PresenceRules/endingMemory``, and of each kind so many at most.
struct Endings: Sendable {
  private var sessions: BoundedMemory<SessionID, Status>
  private var attendees: BoundedMemory<AttendeeID, Bool>
  /// Whether an operator ended the last promotion of a session.
  private var promotions: BoundedMemory<SessionID, Bool>

  init(rules: PresenceRules) {
    let (most, retention) = (rules.rememberedEndings, rules.endingMemory)
    sessions = BoundedMemory(limit: most, retention: retention)
    attendees = BoundedMemory(limit: most, retention: retention)
    promotions = BoundedMemory(limit: most, retention: retention)
  }

  /// With what a session ended; `nil` if it is not known to have ended.
  func status(of session: SessionID) -> Status? { sessions[session] }

  /// Whether an attendee was deleted.
  func isDeleted(_ attendee: AttendeeID) -> Bool { attendees[attendee] != nil }

  /// Whether an operator ended the promotion of a session, and it was not promoted since.
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

  /// A session comes in, perhaps promoted again.
  mutating func letIn(_ session: SessionID, at now: ContinuousClock.Instant) {
    if promotions[session] != nil { promotions.remember(false, for: session, at: now) }
  }
}
