/// A person who may join a meeting, whether or not the person is connected.
public struct Attendee: Hashable, Sendable {
  /// The attendee's id within its meeting.
  public var id: AttendeeID

  /// The meeting that the attendee may join.
  public var meetingID: MeetingID

  /// The application's own id of the user.
  public var externalUserID: ExternalUserID

  /// The display name. If it is `nil`, clients show the external user id.
  public var displayName: DisplayName?

  /// The media that the attendee may send and receive.
  public var capabilities: AttendeeCapabilities

  /// Whether an operator muted the attendee. The server enforces the mute until an operator ends
  /// it.
  public var isMutedByOperator: Bool

  /// Whether an operator barred the attendee. The server refuses the attendee's token until an
  /// operator lifts the bar.
  public var isBarred: Bool

  /// The time of creation, in milliseconds since 1970-01-01T00:00:00Z.
  public var createdAt: Int64

  /// The position in the order of creation, from 1, across all attendees of the installation.
  ///
  /// The store never reuses an ordinal; gaps between ordinals are normal.
  public var ordinal: Int64

  /// Creates the record of an attendee; the store assigns `ordinal`.
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
