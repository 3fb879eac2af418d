/// Who somebody is, in every event about it.
public struct ParticipantIdentity: Hashable, Sendable {
  /// A participant of the meeting; of a promoted attendee the one in the primary.
  public let id: ParticipantID

  /// What the application that created the attendee calls its user.
  public let externalUserID: ExternalUserID

  /// What people call the attendee; `nil`: its external user id is shown.
  public let displayName: DisplayName?

  /// Names a participant and its user.
  public init(
    id: ParticipantID, externalUserID: ExternalUserID, displayName: DisplayName? = nil
  ) {
    (self.id, self.externalUserID, self.displayName) = (id, externalUserID, displayName)
  }
}
