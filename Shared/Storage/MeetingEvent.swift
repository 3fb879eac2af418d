public import MeetingModel

/// Something that happened in a meeting, as applications are told of it.
public struct MeetingEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The meeting was made.
    case meetingStarted = "MeetingStarted"
    /// The meeting ended; nothing follows.
    case meetingEnded = "MeetingEnded"
    /// Nobody new is let in.
    case meetingLocked = "MeetingLocked"
    /// Everybody may come again.
    case meetingUnlocked = "MeetingUnlocked"
    /// An attendee was made.
    case attendeeAdded = "AttendeeAdded"
    /// An attendee was deleted.
    case attendeeDeleted = "AttendeeDeleted"
    /// An attendee came.
    case attendeeJoined = "AttendeeJoined"
    /// An attendee went.
    case attendeeLeft = "AttendeeLeft"
    /// An attendee was lost.
    case attendeeDropped = "AttendeeDropped"
    /// A content share began.
    case contentJoined = "AttendeeContentJoined"
    /// A content share ended.
    case contentLeft = "AttendeeContentLeft"
    /// A content share was lost.
    case contentDropped = "AttendeeContentDropped"
    /// An operator muted an attendee.
    case attendeeMuted = "AttendeeMuted"
    /// An operator lifted a mute.
    case attendeeUnmuted = "AttendeeUnmuted"
    /// An operator sent an attendee away.
    case attendeeBarred = "AttendeeBarred"
    /// An operator lets an attendee come back.
    case attendeeAllowed = "AttendeeAllowed"
  }

  /// Rises with each event of the installation, with gaps.
  public var number: Int64

  /// Names the event, however often somebody is told of it.
  public var id: String

  /// What happened.
  public var kind: Kind

  /// Its place among the events of its meeting: from 1, without gaps.
  public var sequence: Int64

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var at: Int64

  /// Where it happened.
  public var meeting: MeetingID
  /// The application's own label for the meeting.
  public var externalMeetingID: ExternalMeetingID
  /// The primary of a replica.
  public var primary: MeetingID?

  /// Whom it is about, if it is about somebody.
  public var attendee: AttendeeID?

  /// Its name; `nil` also for somebody who was erased.
  public var externalUserID: ExternalUserID?

  /// Why somebody went.
  public var reason: DepartureReason?
}

/// Why somebody is not in a meeting any more.
public enum DepartureReason: String, CaseIterable, Hashable, Sendable {
  /// It asked to go.
  case client = "Client"
  /// Its connection was lost.
  case connectionLost = "ConnectionLost"
  /// Its gateway was lost.
  case gatewayLost = "GatewayLost"
  /// It was deleted.
  case attendeeDeleted = "AttendeeDeleted"
  /// The meeting ended.
  case meetingEnded = "MeetingEnded"
  /// An operator wanted it.
  case `operator` = "Operator"
  /// It went back to its replica.
  case demoted = "Demoted"
  /// Nobody could tell when it was found out: presence had been started anew meanwhile.
  case unknown = "Unknown"

  /// What presence says of it.
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

  /// Whether it was lost rather than that it went.
  var isDrop: Bool {
    switch self {
    case .connectionLost, .gatewayLost, .unknown: true
    case .client, .attendeeDeleted, .meetingEnded, .operator, .demoted: false
    }
  }
}
