public import MeetingModel

/// One session of an attendee in a meeting, from the join to the leave.
public struct AttendanceSession: Hashable, Sendable {
  /// The session's number in the order in which the installation recorded the sessions.
  public var number: Int64
  /// The meeting.
  public var meeting: MeetingID
  /// The attendee.
  public var attendee: AttendeeID
  /// The application's id of the attendee.
  public var externalUserID: ExternalUserID
  /// The display name. If the name is `nil`, clients show the external user id.
  public var displayName: DisplayName?

  /// The time of the join, in milliseconds since 1970-01-01T00:00:00Z.
  public var joinedAt: Int64

  /// The end of the session; `nil` for a current session.
  public var left: Departure?

  /// The time of a leave, and the reason for the leave.
  public struct Departure: Hashable, Sendable {
    /// The time of the leave, in milliseconds since 1970-01-01T00:00:00Z.
    public var at: Int64
    /// The reason for the leave.
    public var reason: DepartureReason
  }
}

/// The record of a meeting. The store keeps the record for some time after the end of the meeting.
public struct MeetingRecord: Hashable, Sendable {
  /// The meeting.
  public var meeting: MeetingID
  /// The application's own label for the meeting.
  public var externalMeetingID: ExternalMeetingID
  /// The primary, if the meeting is a replica; otherwise `nil`.
  public var primary: MeetingID?
  /// The tenants of the meeting.
  public var tenantIDs: [TenantID]

  /// The time of creation, in milliseconds since 1970-01-01T00:00:00Z.
  public var createdAt: Int64

  /// The time of the meeting's end, in milliseconds since 1970-01-01T00:00:00Z; `nil` while the
  /// meeting is live.
  public var endedAt: Int64?

  /// The number of sessions that the record omits because the meeting had too many sessions.
  public var unrecorded: Int64

  /// The sequence of the meeting's last event.
  public var lastEvent: Int64
}
