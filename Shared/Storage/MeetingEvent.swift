public import MeetingModel

/// Something that happened in a meeting, as applications are told of it.
public struct MeetingEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case meetingStarted = "MeetingStarted"
    case meetingEnded = "MeetingEnded"
    case meetingLocked = "MeetingLocked"
    case meetingUnlocked = "MeetingUnlocked"
    case attendeeAdded = "AttendeeAdded"
    case attendeeDeleted = "AttendeeDeleted"
    case attendeeJoined = "AttendeeJoined"
    case attendeeLeft = "AttendeeLeft"
    case attendeeDropped = "AttendeeDropped"
    case contentJoined = "AttendeeContentJoined"
    case contentLeft = "AttendeeContentLeft"
    case contentDropped = "AttendeeContentDropped"
    case attendeeMuted = "AttendeeMuted"
    case attendeeUnmuted = "AttendeeUnmuted"
    case attendeeBarred = "AttendeeBarred"
    case attendeeAllowed = "AttendeeAllowed"
  }

  /// Rises with each event of the installation, with gaps.
  public var number: Int64

  /// Names the event, however often somebody is told of it.
  public var id: String

  public var kind: Kind

  /// Its place among the events of its meeting: from 1, without gaps.
  public var sequence: Int64

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var at: Int64

  public var meeting: MeetingID
  public var externalMeetingID: ExternalMeetingID
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
  case client = "Client"
  case connectionLost = "ConnectionLost"
  case gatewayLost = "GatewayLost"
  case attendeeDeleted = "AttendeeDeleted"
  case meetingEnded = "MeetingEnded"
  case `operator` = "Operator"
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
