import Synchronization

/// Who the user of a session is: the attendee that it joined as and, while that one is promoted,
/// the attendee of the primary meeting that others see.
final class LocalIdentity: Sendable {
  private let joined: MeetingSessionCredentials
  private let current = Mutex<PromotedAttendee?>(nil)

  init(_ joined: MeetingSessionCredentials) { self.joined = joined }

  /// The attendee of the primary, while promoted.
  var promoted: PromotedAttendee? { current.withLock { $0 } }

  /// The attendee as others know it.
  var credentials: MeetingSessionCredentials { promoted?.credentials ?? joined }

  func act(as attendee: PromotedAttendee?) { current.withLock { $0 = attendee } }

  /// Whether the id is the user's own, in either meeting.
  func isOwn(_ attendeeId: String) -> Bool {
    attendeeId == joined.attendeeId || attendeeId == promoted?.attendeeId
  }
}
