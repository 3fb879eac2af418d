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

/// Who somebody is, in every event about it.
struct ParticipantIdentity: Hashable, Sendable {
  let id: ParticipantID
  let externalUserID: ExternalUserID
}

/// From where a session acts.
enum Place: Hashable, Sendable {
  /// In the meeting itself.
  case primary
  /// In a replica: it watches.
  case replica
  /// In a replica, and publishes as an attendee of the meeting.
  case promoted(as: ParticipantIdentity, AttendeeCapabilities)
}

/// How a session comes to a board.
enum Admission: Hashable, Sendable {
  /// A client opened it.
  case start
  /// A client says that it had it before.
  case resume
  /// A gateway has it and tells an owner that does not know.
  case announcement
}
