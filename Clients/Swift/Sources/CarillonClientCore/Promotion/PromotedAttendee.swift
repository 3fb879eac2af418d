/// Whom a replica's attendee acts as in the primary meeting, once it is promoted.
struct PromotedAttendee: Sendable {
  /// The primary meeting.
  let meetingId: String

  /// The attendee there. They open the session of its content share, too.
  let credentials: MeetingSessionCredentials

  var attendeeId: String { credentials.attendeeId }
}
