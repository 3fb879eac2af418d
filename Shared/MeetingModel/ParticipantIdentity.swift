/// The identity of a participant in events.
public struct ParticipantIdentity: Hashable, Sendable {
  /// The participant's id. A promoted attendee has the id of the primary meeting.
  public let id: ParticipantID

  /// The application's own id of the user.
  public let externalUserID: ExternalUserID

  /// The display name. If it is `nil`, clients show the external user id.
  public let displayName: DisplayName?

  /// Creates an identity.
  public init(
    id: ParticipantID, externalUserID: ExternalUserID, displayName: DisplayName? = nil
  ) {
    (self.id, self.externalUserID, self.displayName) = (id, externalUserID, displayName)
  }
}
