import MeetingModel

/// A session as its gateway describes it.
struct SessionDescription: Hashable, Sendable {
  var id: SessionID

  /// Who receives, and publishes unless ``place`` says otherwise.
  var identity: ParticipantIdentity

  var capabilities: AttendeeCapabilities
  var place: Place = .primary
  var choices = VideoChoices()
}

/// Where a session acts from.
enum Place: Hashable, Sendable {
  /// It is in the meeting itself.
  case primary
  /// It is in a replica, and watches.
  case replica
  /// It is in a replica, and publishes as an attendee of the meeting.
  case promoted(as: ParticipantIdentity, AttendeeCapabilities)
}
