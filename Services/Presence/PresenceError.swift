import MeetingModel

/// Why presence refuses.
enum PresenceError: StatusConvertible, Hashable {
  /// The meeting holds as many attendees as it may.
  case meetingFull(capacity: Int)
  /// The meeting is over; its sessions were told this.
  case meetingEnded(Status)
  /// The session is over; it was told this.
  case sessionEnded(Status)
  /// The attendee was deleted before it came.
  case attendeeDeleted
  /// An operator sent the attendee away.
  case barred
  /// The meeting lets nobody new in.
  case meetingLocked
  /// Two participants claim one session.
  case sessionTaken
  /// A meeting is a replica always or never.
  case kindMismatch
  /// An operator mutes the attendee.
  case mutedByOperator
  /// The session is not in the meeting.
  case unknownSession
  /// The gateways have not said yet who is connected.
  case recovering
  /// A field of a request cannot be what it is. `rule` completes "it must be …".
  case malformed(field: String, rule: String)

  var status: Status {
    switch self {
    case .meetingFull(let capacity):
      Status(
        .resourceExhausted, "Full at \(capacity); retry later or raise --max-attendees.",
        session: .audioCallAtCapacity, reason: .meetingFull)
    case .meetingEnded(let status):
      Status(
        .failedPrecondition, "The meeting has ended.", session: .audioCallEnded,
        reason: status.reason)
    case .sessionEnded(let status):
      status
    case .attendeeDeleted:
      Status(
        .unauthenticated, "No meeting, attendee and token fit these.",
        session: .audioAuthenticationRejected, reason: .badCredentials)
    case .barred:
      .barred
    case .meetingLocked:
      Status(
        .permissionDenied, "The meeting is locked; ask who runs it to let you in.",
        session: .audioAuthenticationRejected, reason: .meetingLocked)
    case .sessionTaken:
      Status(
        .invalidArgument, "This session belongs to another participant; draw a new session id.",
        reason: .malformed)
    case .kindMismatch:
      Status(
        .invalidArgument, "The meeting is known with another primary; check primary_meeting_id.",
        reason: .malformed)
    case .mutedByOperator:
      Status(
        .failedPrecondition, "An operator muted this attendee; only an operator can lift that.",
        reason: .mutedByOperator)
    case .unknownSession:
      Status(.notFound, "This session is not in the meeting; join first.")
    case .recovering:
      Status(.unavailable, "Presence has just started and does not know the session yet; retry.")
    case .malformed(let field, let rule):
      Status(.invalidArgument, "Wrong \(field): it must be \(rule).", reason: .malformed)
    }
  }
}

extension Status {
  /// What the older of two sessions of one attendee is told.
  static let joinedElsewhere = Status(
    .failedPrecondition, "The same attendee joined from another place.",
    session: .audioJoinedFromAnotherDevice, reason: .joinedElsewhere)

  /// What the sessions of a deleted attendee are told.
  static let attendeeDeleted = Status(
    .notFound, "The attendee was deleted.", session: .audioServerHungup, reason: .attendeeDeleted)

  /// What the sessions of an attendee are told whom an operator sends away.
  static let barred = Status(
    .permissionDenied, "An operator sent this attendee away; only an operator can lift that.",
    session: .audioServerHungup, reason: .barred)

  /// What a promoted session is told whose promotion an operator ends.
  static let demotedByOperator = Status(
    .cancelled, "An operator ended the promotion; it may be asked for again.",
    session: .audioInternalServerError, reason: .demotedByOperator)

  /// What the sessions of a meeting are told whose end came without a status.
  static let meetingDeleted = Status(
    .notFound, "The meeting was deleted.", session: .audioServerHungup, reason: .meetingDeleted)
}
