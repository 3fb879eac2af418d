/// Somebody who may join a meeting, connected or not.
public struct Attendee: Hashable, Sendable {
  /// Names the attendee within its meeting.
  public var id: AttendeeID

  /// The meeting that the attendee may join.
  public var meetingID: MeetingID

  /// The application's own name for the attendee.
  public var externalUserID: ExternalUserID

  /// What people call the attendee; `nil`: its external user id is shown.
  public var displayName: DisplayName?

  /// What the attendee may send and receive.
  public var capabilities: AttendeeCapabilities

  /// Whether an operator muted the attendee; enforced by the server until an operator lifts it.
  public var isMutedByOperator: Bool

  /// Whether an operator sent the attendee away; its token admits nobody until that is lifted.
  public var isBarred: Bool

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var createdAt: Int64

  /// The place in the order of creation, from 1, across all attendees of the installation. Never
  /// used twice; gaps are normal.
  public var ordinal: Int64

  /// Makes the record of an attendee; the store gives `ordinal`.
  public init(
    id: AttendeeID, meetingID: MeetingID, externalUserID: ExternalUserID,
    displayName: DisplayName? = nil, capabilities: AttendeeCapabilities,
    isMutedByOperator: Bool = false,
    isBarred: Bool = false, createdAt: Int64, ordinal: Int64
  ) {
    self.id = id
    self.meetingID = meetingID
    self.externalUserID = externalUserID
    self.displayName = displayName
    self.capabilities = capabilities
    self.isMutedByOperator = isMutedByOperator
    self.isBarred = isBarred
    self.createdAt = createdAt
    self.ordinal = ordinal
  }
}
