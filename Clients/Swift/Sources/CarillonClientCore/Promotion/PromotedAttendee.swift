/// The attendee of the primary meeting as whom a promoted attendee of a replica acts.
struct PromotedAttendee: Sendable {
  /// The id of the primary meeting.
  let meetingId: String

  /// The attendee's credentials there. They also open the session of its content share.
  let credentials: MeetingSessionCredentials

  var attendeeId: String { credentials.attendeeId }
}
