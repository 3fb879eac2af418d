import MeetingModel

/// The reason why the service rejects a request.
enum PresenceError: StatusConvertible, Hashable {
  /// The meeting is full.
  case meetingFull(capacity: Int)
  /// The meeting has ended. Its sessions ended with this status.
  case meetingEnded(Status)
  /// The session has ended with this status.
  case sessionEnded(Status)
  /// An operator deleted the attendee before the attendee joined.
  case attendeeDeleted
  /// A host or an operator removed the attendee.
  case barred
  /// A host or an operator locked the meeting.
  case meetingLocked
  /// Two participants use the same session id.
  case sessionTaken
  /// The request describes a replica as an ordinary meeting, or an ordinary meeting as a replica. A
  /// meeting never changes its kind.
  case kindMismatch
  /// An operator has muted the attendee.
  case mutedByOperator
  /// The session is not in the meeting.
  case unknownSession
  /// The gateways have not announced all sessions yet.
  case recovering
  /// The meeting is locked, and no host is present to answer a knock.
  case noHost
  /// Too many people knock.
  case knocksFull
  /// The knock does not exist, has expired, has the opposite answer, or its person has entered.
  case unknownKnock
  /// A field of a request is invalid. `rule` completes "it must be …".
  case malformed(field: String, rule: String)

  var status: Status {
    switch self {
    case .meetingFull(let capacity):
      Status(
        .resourceExhausted,
        """
        The meeting has \(capacity) attendees, which is the limit; retry after one has left, or \
        raise --max-attendees.
        """,
        session: .audioCallAtCapacity, reason: .meetingFull)
    case .meetingEnded(let status):
      Status(
        .failedPrecondition, "The meeting has ended; create or join another meeting.",
        session: .audioCallEnded,
        reason: status.reason)
    case .sessionEnded(let status):
      status
    case .attendeeDeleted:
      Status(
        .unauthenticated,
        """
        The meeting or the attendee is unknown, or the join token is wrong; request new join \
        credentials.
        """,
        session: .audioAuthenticationRejected, reason: .badCredentials)
    case .barred:
      .barred
    case .meetingLocked:
      Status(
        .permissionDenied, "The meeting is locked; ask its organizer to unlock it.",
        session: .audioAuthenticationRejected, reason: .meetingLocked)
    case .sessionTaken:
      Status(
        .invalidArgument,
        "Another participant uses this session id; create a new random session id.",
        reason: .malformed)
    case .kindMismatch:
      Status(
        .invalidArgument,
        """
        The meeting is known with another primary meeting; send the same primary_meeting_id in \
        all requests.
        """,
        reason: .malformed)
    case .mutedByOperator:
      Status(
        .failedPrecondition, "An operator muted this attendee; only an operator can end this mute.",
        reason: .mutedByOperator)
    case .unknownSession:
      Status(.notFound, "This session is not in the meeting; join first.")
    case .recovering:
      Status(.unavailable, "Presence has just started and does not know the session yet; retry.")
    case .noHost:
      Status(
        .failedPrecondition,
        "The meeting is locked, and no host is present to let the person in; try again later.")
    case .knocksFull:
      Status(.resourceExhausted, "Too many people knock at the meeting; knock again in a minute.")
    case .unknownKnock:
      Status(.notFound, "Nobody waits with this knock; knock again.")
    case .malformed(let field, let rule):
      Status(.invalidArgument, "Wrong \(field): it must be \(rule).", reason: .malformed)
    }
  }
}

extension Status {
  /// The status of a session that a newer session of the same attendee has replaced.
  static let joinedElsewhere = Status(
    .failedPrecondition,
    """
    A newer session of the same attendee replaced this session; give each program its own \
    attendee.
    """,
    session: .audioJoinedFromAnotherDevice, reason: .joinedElsewhere)

  /// The status for the sessions of a deleted attendee.
  static let attendeeDeleted = Status(
    .notFound,
    "An application or an operator deleted the attendee; create another attendee to join again.",
    session: .audioServerHungup, reason: .attendeeDeleted)

  /// The status for the sessions of an attendee that a host or an operator removed.
  static let barred = Status(
    .permissionDenied,
    "A host or an operator removed this attendee; ask an operator to let it return.",
    session: .audioServerHungup, reason: .barred)

  /// The status for a promoted session when an operator ends the promotion.
  static let demotedByOperator = Status(
    .cancelled, "An operator ended the promotion; the client may request a promotion again.",
    session: .audioInternalServerError, reason: .demotedByOperator)

  /// The status for the sessions of an ended meeting if the request to end the meeting contains no
  /// status.
  static let meetingDeleted = Status(
    .notFound, "An application, an operator or a host ended the meeting; create another meeting.",
    session: .audioServerHungup, reason: .meetingDeleted)
}
