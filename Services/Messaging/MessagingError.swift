import MeetingModel

/// Why messaging refuses.
enum MessagingError: StatusConvertible, Hashable {
  /// A lifetime below zero.
  case negativeLifetime
  /// A topic that breaks the rule, or that only services may use.
  case invalidTopic
  /// More bytes than a message may have.
  case tooLong(limit: Int)
  /// More recipients than a message may have.
  case tooManyRecipients(limit: Int)
  /// The session has not joined the meeting's log, or has left it.
  case unknownSession
  /// An attendee, or all together, sent more than the hard limits allow.
  case flooding
  /// The meeting is over and its log deleted.
  case meetingEnded
  /// More writes wait for the disk than there is room for.
  case overloaded
  /// The disk did not take what was to be stored.
  case storeFailed
  /// A message that the session sent before was refused for the moment.
  case overtaking
  /// A field of a request cannot be what it is. `rule` completes "it must be …".
  case malformed(field: String, rule: String)

  var status: Status {
    switch self {
    case .negativeLifetime:
      Status(.invalidArgument, "The lifetime must not be negative.", reason: .malformed)
    case .invalidTopic:
      Status(
        .invalidArgument, "Not a valid topic: it must be \(MessageTopic.rule).", reason: .malformed)
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
      Status(.failedPrecondition, "The meeting has ended.", session: .audioCallEnded)
    case .overloaded:
      Status(.unavailable, "Too many writes wait for the disk; retry later.", reason: .overloaded)
    case .storeFailed:
      Status(.unavailable, "The message could not be stored; retry later.")
    case .overtaking:
      Status(.unavailable, "A message before this one was refused; send both again, in order.")
    case .malformed(let field, let rule):
      Status(.invalidArgument, "Wrong \(field): it must be \(rule).", reason: .malformed)
    }
  }
}
