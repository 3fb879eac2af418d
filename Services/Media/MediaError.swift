import MeetingModel

/// The reason why the service rejects a request.
enum MediaError: StatusConvertible, Hashable {
  /// No gateway has admitted the session at this instance, or a gateway has released the session.
  case unknownSession
  /// No gateway has admitted the session of an offer yet, or a gateway has released the session.
  case notAdmitted
  /// This instance accepts no browsers.
  case noBrowsers
  /// No gateway has admitted a participant of the meeting at this instance.
  case unknownMeeting
  /// The session is not in a replica, so it cannot be promoted.
  case notInReplica
  /// The client has moved to another gateway, and that gateway has admitted the session.
  case admittedElsewhere
  /// No open `StreamTalkers` call has this id.
  case unknownStream
  /// A field of a request has an invalid value.
  ///
  /// `rule` completes "it must be …".
  case malformed(field: String, rule: String)

  var status: Status {
    switch self {
    case .unknownSession:
      Status(.notFound, "Media has not admitted this session; admit it first.")
    case .notAdmitted:
      Status(.failedPrecondition, "Media has not admitted this session; admit it first.")
    case .noBrowsers:
      Status(
        .unimplemented, "This instance of media does not serve browsers; use another instance.")
    case .unknownMeeting:
      Status(.notFound, "Media has admitted no session of this meeting; join the meeting first.")
    case .notInReplica:
      Status(
        .failedPrecondition,
        """
        This session is not in a replica meeting, so it cannot be promoted; send sound without a \
        promotion.
        """)
    case .admittedElsewhere:
      Status(
        .failedPrecondition,
        "The client has resumed this session at another gateway; use that gateway.",
        reason: .joinedElsewhere)
    case .unknownStream:
      Status(.notFound, "No stream of talkers has this id; open one first.")
    case .malformed(let field, let rule):
      Status(.invalidArgument, "\(field) must be \(rule).", reason: .malformed)
    }
  }
}
