import Synchronization

/// The identity of a session's user: the attendee who joined and, during a promotion, the attendee
/// whom others see in the primary meeting.
final class LocalAttendeeIdentity: Sendable {
  private let joined: MeetingSessionCredentials
  private let current = Mutex<PrimaryMeetingAttendee?>(nil)

  init(_ joined: MeetingSessionCredentials) { self.joined = joined }

  /// The attendee whom others see in the primary meeting during a promotion; otherwise `nil`.
  var promoted: PrimaryMeetingAttendee? { current.withLock { $0 } }

  /// The credentials of the attendee whom others see.
  var credentials: MeetingSessionCredentials { promoted?.credentials ?? joined }

  func act(as attendee: PrimaryMeetingAttendee?) { current.withLock { $0 = attendee } }

  /// Returns whether the id is the user's own id, in the joined meeting or in the primary meeting.
  func isOwn(_ attendeeId: String) -> Bool {
    attendeeId == joined.attendeeId || attendeeId == promoted?.attendeeId
  }
}
