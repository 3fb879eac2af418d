import MeetingModel

/// The reason why the service refuses a request.
enum MessagingError: StatusConvertible, Hashable {
  /// The lifetime is negative.
  case negativeLifetime
  /// The topic is invalid, or reserved for services.
  case invalidTopic
  /// The message has too many bytes.
  case tooLong(limit: Int)
  /// The message has too many recipients.
  case tooManyRecipients(limit: Int)
  /// The session has not joined the meeting's log, or has left it.
  case unknownSession
  /// An attendee, or all attendees together, exceeded the hard limits.
  case flooding
  /// The meeting has ended, and the service has deleted the meeting's log.
  case meetingEnded
  /// Too many writes wait for the disk.
  case overloaded
  /// The disk could not store the change.
  case storeFailed
  /// The service refused an earlier message of the session temporarily.
  case overtaking
  /// A field of a request is invalid. `rule` completes "it must be …".
  case malformed(field: String, rule: String)

  var status: Status {
    switch self {
    case .negativeLifetime:
      Status(
        .invalidArgument, "The lifetime of a message must be 0 ms or more.", reason: .malformed)
    case .invalidTopic:
      Status(
        .invalidArgument, "Not a valid topic: it must be \(MessageTopicRules.rule).",
        reason: .malformed)
    case .tooLong(let limit):
      Status(
        .invalidArgument, "Too long: a message has at most \(limit) bytes.", reason: .malformed)
    case .tooManyRecipients(let limit):
      Status(
        .invalidArgument,
        "Too many recipients: name at most \(limit), or none to reach everybody.",
        reason: .malformed)
    case .unknownSession:
      Status(.notFound, "This session does not read the meeting's messages; join first.")
    case .flooding:
      Status(
        .resourceExhausted, "Too many messages; wait before joining again, and send fewer.",
        session: .audioServerHungup, reason: .flooding)
    case .meetingEnded:
      Status(
        .failedPrecondition, "The meeting has ended; create or join another meeting.",
        session: .audioCallEnded)
    case .overloaded:
      Status(.unavailable, "Too many writes wait for the disk; retry later.", reason: .overloaded)
    case .storeFailed:
      Status(.unavailable, "The message could not be stored; retry later.")
    case .overtaking:
      Status(
        .unavailable,
        """
        The service refused an earlier message of this session; send both messages again, in \
        order.
        """)
    case .malformed(let field, let rule):
      Status(.invalidArgument, "Wrong \(field): it must be \(rule).", reason: .malformed)
    }
  }
}
