/// The server's report of one attendee's presence.
struct AttendeePresenceReport: Hashable, Sendable {
  var attendeeId: String
  /// The application's own id of the attendee; may be empty for the local attendee.
  var externalUserId: String
  var status: AttendeeStatus
  /// The display name; empty if the attendee has none.
  var displayName = ""
}

/// The server's report of one attendee's volume.
struct VolumeReport: Hashable, Sendable {
  var attendeeId: String
  /// The application's own id of the attendee; may be empty for the local attendee.
  var externalUserId: String
  var level: VolumeLevel
  /// The display name; empty if the attendee has none.
  var displayName = ""
}

/// The server's report of one attendee's signal strength.
struct SignalReport: Hashable, Sendable {
  var attendeeId: String
  /// The application's own id of the attendee; may be empty for the local attendee.
  var externalUserId: String
  var strength: SignalStrength
  /// The display name; empty if the attendee has none.
  var displayName = ""
}
