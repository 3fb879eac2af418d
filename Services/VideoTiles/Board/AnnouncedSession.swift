import MeetingModel

/// A gateway's description of a session.
struct AnnouncedSession: Hashable, Sendable {
  var id: SessionID

  /// The participant that receives video. The participant also publishes, unless ``place`` forbids
  /// it.
  var identity: ParticipantIdentity

  var capabilities: AttendeeCapabilities
  var place: ActingMeeting = .primary
  var choices = ClientVideoPreferences()

  /// The time at which the client reached the gateway that sent this description, in milliseconds
  /// since 1970-01-01T00:00:00Z; 0 if unknown.
  var openedAtMs: UInt64 = 0
}

/// The meeting in which a session acts.
enum ActingMeeting: Hashable, Sendable {
  /// The session is in the meeting itself.
  case primary
  /// The session is in a replica, and only watches.
  case replica
  /// The session is in a replica, and publishes as an attendee of the meeting. `sinceMs` is the
  /// time of the session's request for promotion, in milliseconds since 1970-01-01T00:00:00Z; 0 if
  /// unknown.
  case promoted(as: ParticipantIdentity, AttendeeCapabilities, sinceMs: UInt64)
}
