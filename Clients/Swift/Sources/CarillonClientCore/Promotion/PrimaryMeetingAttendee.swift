/// An attendee of a primary meeting. A promoted attendee of a replica uses this attendee's
/// identity.
struct PrimaryMeetingAttendee: Sendable {
  /// The id of the primary meeting.
  let meetingId: String

  /// The attendee's credentials in the primary meeting. The session of the attendee's content share
  /// uses the same credentials.
  let credentials: MeetingSessionCredentials

  var attendeeId: String { credentials.attendeeId }
}
