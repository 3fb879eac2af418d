import MeetingModel

/// A session as its gateway describes it.
struct AnnouncedSession: Hashable, Sendable {
  var id: SessionID

  /// Who receives, and publishes unless ``place`` says otherwise.
  var identity: ParticipantIdentity

  var capabilities: AttendeeCapabilities
  var place: Place = .primary
  var choices = VideoChoices()

  /// When its client came with it to the gateway that describes it, in milliseconds since
  /// 1970-01-01T00:00:00Z; 0: not known.
  var openedAtMs: UInt64 = 0
}

/// Where a session acts from.
enum Place: Hashable, Sendable {
  /// It is in the meeting itself.
  case primary
  /// It is in a replica, and watches.
  case replica
  /// It is in a replica, and publishes as an attendee of the meeting since it asked for that, in
  /// milliseconds since 1970-01-01T00:00:00Z; 0: not known.
  case promoted(as: ParticipantIdentity, AttendeeCapabilities, sinceMs: UInt64)
}
