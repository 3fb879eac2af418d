/// The attendee of the primary meeting as whom a promoted attendee of a replica acts.
struct PromotedAttendee: Sendable {
  /// The id of the primary meeting.
  let meetingId: String

  /// The attendee's credentials in the primary meeting. They also open the session of the
  /// attendee's content share.
  let credentials: MeetingSessionCredentials

  var attendeeId: String { credentials.attendeeId }
}
