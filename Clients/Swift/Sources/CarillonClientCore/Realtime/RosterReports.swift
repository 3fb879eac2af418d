/// The server's report of one attendee's presence.
struct PresenceReport: Hashable, Sendable {
  var attendeeId: String
  /// May be empty for the local attendee.
  var externalUserId: String
  var status: AttendeeStatus
  /// Empty if the attendee has none.
  var displayName = ""
}

/// The server's report of one attendee's volume.
struct VolumeReport: Hashable, Sendable {
  var attendeeId: String
  /// May be empty for the local attendee.
  var externalUserId: String
  var level: VolumeLevel
  /// Empty if the attendee has none.
  var displayName = ""
}

/// The server's report of one attendee's signal strength.
struct SignalReport: Hashable, Sendable {
  var attendeeId: String
  /// May be empty for the local attendee.
  var externalUserId: String
  var strength: SignalStrength
  /// Empty if the attendee has none.
  var displayName = ""
}
