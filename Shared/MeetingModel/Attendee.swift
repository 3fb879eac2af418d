/// Somebody who may join a meeting, connected or not.
public struct Attendee: Hashable, Sendable {
  public var id: AttendeeID
  public var meetingID: MeetingID
  public var externalUserID: ExternalUserID
  public var capabilities: AttendeeCapabilities

  /// Whether an operator muted the attendee; enforced by the server until an operator lifts it.
  public var isMutedByOperator: Bool

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var createdAt: Int64

  /// The place in the order of creation, from 1, across all attendees of the installation. Never
  /// used twice; gaps are normal.
  public var ordinal: Int64

  public init(
    id: AttendeeID, meetingID: MeetingID, externalUserID: ExternalUserID,
    capabilities: AttendeeCapabilities, isMutedByOperator: Bool = false, createdAt: Int64,
    ordinal: Int64
  ) {
    self.id = id
    self.meetingID = meetingID
    self.externalUserID = externalUserID
    self.capabilities = capabilities
    self.isMutedByOperator = isMutedByOperator
    self.createdAt = createdAt
    self.ordinal = ordinal
  }
}
