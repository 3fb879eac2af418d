/// Why a data message has no receipt. An addition of Carillon.
public enum DataMessageFailure: Error, Hashable, Sendable {
  /// The session is not started.
  case notStarted
  /// There are more than 250 recipients, or one of them is no attendee id.
  case invalidRecipients
  /// Too many messages wait to be sent.
  case queueFull
  /// The meeting's limit is used up; the message was not delivered. It may be sent again.
  case throttled(retryAfterMs: Int)
  /// The server does not take it; its words say why.
  case refused(String)
  /// The session ended before it could be sent.
  case notSent
  /// It was sent, and no answer came in time: it may have been delivered or not.
  case unconfirmed
}

extension DataMessageFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notStarted: "The session is not started."
    case .invalidRecipients: "A message may have up to 250 recipients, all of them attendee ids."
    case .queueFull: "Too many data messages wait to be sent."
    case .throttled(let waitMs): "Too many data messages; send it again in \(waitMs) ms."
    case .refused(let why): why
    case .notSent: "The session ended before the data message could be sent."
    case .unconfirmed: "No answer came: the data message may have been delivered or not."
    }
  }
}
