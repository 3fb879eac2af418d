import MeetingModel

/// A session as its gateway describes it.
struct AnnouncedSession: Hashable, Sendable {
  var id: SessionID

  /// The participant that receives, and that publishes unless ``place`` differs.
  var identity: ParticipantIdentity

  var capabilities: AttendeeCapabilities
  var place: Place = .primary
  var choices = VideoChoices()

  /// When its client reached the gateway that describes it, in milliseconds since
  /// 1970-01-01T00:00:00Z; 0 if unknown.
  var openedAtMs: UInt64 = 0
}

/// The place that a session acts from.
enum Place: Hashable, Sendable {
  /// It is in the meeting itself.
  case primary
  /// It is in a replica, and watches.
  case replica
  /// It is in a replica, and publishes as an attendee of the meeting since its request for that, in
  /// milliseconds since 1970-01-01T00:00:00Z; 0 if unknown.
  case promoted(as: ParticipantIdentity, AttendeeCapabilities, sinceMs: UInt64)
}
