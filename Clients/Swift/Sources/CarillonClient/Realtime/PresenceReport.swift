/// What the server says of one attendee's presence.
struct PresenceReport: Hashable, Sendable {
  var attendeeId: String
  /// May be empty for the local attendee.
  var externalUserId: String
  var status: AttendeeStatus
}
