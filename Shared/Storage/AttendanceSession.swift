public import MeetingModel

/// One stay of an attendee in a meeting.
public struct AttendanceSession: Hashable, Sendable {
  /// Its place in the order in which the installation recorded them.
  public var number: Int64
  /// In which meeting it was.
  public var meeting: MeetingID
  /// Whose it was.
  public var attendee: AttendeeID
  /// What the application calls the attendee.
  public var externalUserID: ExternalUserID
  /// What people called the attendee; `nil`: its external user id is shown.
  public var displayName: DisplayName?

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var joinedAt: Int64

  /// `nil` while it goes on.
  public var left: Departure?

  /// When and why it ended.
  public struct Departure: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var at: Int64
    /// Why.
    public var reason: DepartureReason
  }
}

/// What is known of a meeting, also for a while after its end.
public struct MeetingRecord: Hashable, Sendable {
  /// Names the meeting.
  public var meeting: MeetingID
  /// The application's own label for it.
  public var externalMeetingID: ExternalMeetingID
  /// The primary of a replica.
  public var primary: MeetingID?
  /// The tenants of the meeting.
  public var tenantIDs: [TenantID]

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var createdAt: Int64

  /// `nil` while the meeting lives.
  public var endedAt: Int64?

  /// How many sessions are missing in the attendance because there were too many.
  public var unrecorded: Int64

  /// The place of the last event of the meeting.
  public var lastEvent: Int64
}
