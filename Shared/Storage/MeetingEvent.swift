public import MeetingModel

/// An event of a meeting, in the form in which applications receive events.
public struct MeetingEvent: Hashable, Sendable {
  /// The kind of an event.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A request created the meeting.
    case meetingStarted = "MeetingStarted"
    /// The meeting ended; no event follows.
    case meetingEnded = "MeetingEnded"
    /// A host or an operator locked the meeting: the server admits no new attendees.
    case meetingLocked = "MeetingLocked"
    /// A host or an operator unlocked the meeting.
    case meetingUnlocked = "MeetingUnlocked"
    /// The meeting got a new attendee.
    case attendeeAdded = "AttendeeAdded"
    /// A control request deleted an attendee.
    case attendeeDeleted = "AttendeeDeleted"
    /// An attendee joined.
    case attendeeJoined = "AttendeeJoined"
    /// An attendee left.
    case attendeeLeft = "AttendeeLeft"
    /// The server dropped an attendee.
    case attendeeDropped = "AttendeeDropped"
    /// A content share began.
    case contentJoined = "AttendeeContentJoined"
    /// A content share ended.
    case contentLeft = "AttendeeContentLeft"
    /// The server dropped a content share.
    case contentDropped = "AttendeeContentDropped"
    /// An operator muted an attendee.
    case attendeeMuted = "AttendeeMuted"
    /// An operator lifted a mute.
    case attendeeUnmuted = "AttendeeUnmuted"
    /// A host or an operator removed an attendee from the meeting.
    case attendeeBarred = "AttendeeBarred"
    /// An operator allowed a barred attendee again.
    case attendeeAllowed = "AttendeeAllowed"
  }

  /// A number that increases with each event of the installation. Some numbers are missing.
  public var number: Int64

  /// The event's id, which is the same in every delivery.
  public var id: String

  /// The kind.
  public var kind: Kind

  /// The sequence among the events of the meeting: from 1, without gaps.
  public var sequence: Int64

  /// The time of the event, in milliseconds since 1970-01-01T00:00:00Z.
  public var at: Int64

  /// The meeting.
  public var meeting: MeetingID
  /// The application's own label for the meeting.
  public var externalMeetingID: ExternalMeetingID
  /// The primary, if the meeting is a replica; otherwise `nil`.
  public var primary: MeetingID?

  /// The attendee of the event; `nil` for an event about no attendee.
  public var attendee: AttendeeID?

  /// The attendee's external user id; `nil` for an event about no attendee, and for an erased user.
  public var externalUserID: ExternalUserID?

  /// The reason for a leave.
  public var reason: DepartureReason?
}

/// The reason why a participant left a meeting.
public enum DepartureReason: String, CaseIterable, Hashable, Sendable {
  /// The participant requested to leave.
  case client = "Client"
  /// The participant lost its connection.
  case connectionLost = "ConnectionLost"
  /// The participant's gateway disappeared.
  case gatewayLost = "GatewayLost"
  /// A control request deleted the attendee.
  case attendeeDeleted = "AttendeeDeleted"
  /// The meeting ended.
  case meetingEnded = "MeetingEnded"
  /// A host or an operator removed the attendee.
  case `operator` = "Operator"
  /// A demotion moved the attendee back from the primary meeting to its replica.
  case demoted = "Demoted"
  /// The reason is unknown, because `presence` restarted before it detected the leave.
  case unknown = "Unknown"

  /// Converts a reason that `presence` reports.
  public init(_ reason: PresenceReason) {
    self =
      switch reason {
      case .client: .client
      case .connectionLost: .connectionLost
      case .gatewayLost: .gatewayLost
      case .attendeeDeleted: .attendeeDeleted
      case .meetingEnded: .meetingEnded
      case .operator: .operator
      case .demoted: .demoted
      }
  }

  /// Whether the server dropped the participant. Otherwise the participant left.
  var isDrop: Bool {
    switch self {
    case .connectionLost, .gatewayLost, .unknown: true
    case .client, .attendeeDeleted, .meetingEnded, .operator, .demoted: false
    }
  }
}
