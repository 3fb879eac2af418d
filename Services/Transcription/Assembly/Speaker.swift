import MeetingModel

/// Who says something.
struct Speaker: Sendable, Hashable {
  /// A participant of the meeting; of a promoted attendee the one in the primary.
  var id: ParticipantID
  var externalUserID: ExternalUserID
}
