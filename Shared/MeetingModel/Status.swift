/// How a call or a session ended, as it is told to the other side.
public struct Status: Error, Hashable, Sendable {
  /// The canonical code: it says what the caller can do.
  public var code: StatusCode

  /// One or two sentences that tell people what to do. They never hold secrets or chat text.
  public var message: String

  /// The facade's code, when a client's session ends with this status; otherwise `nil`.
  public var sessionStatus: SessionStatusCode?

  /// What happened, where a caller may want to tell it from others of the same code.
  public var reason: StatusReason

  /// When the same may be tried again, if whoever answers knows that better than its caller.
  public var retryAfter: Duration?

  /// Makes a status; `session` is for those that end a client's session.
  public init(
    _ code: StatusCode, _ message: String, session: SessionStatusCode? = nil,
    reason: StatusReason = .unspecified, retryAfter: Duration? = nil
  ) {
    self.code = code
    self.message = message
    self.sessionStatus = session
    self.reason = reason
    self.retryAfter = retryAfter
  }

  /// Success, without a word.
  public static let ok = Status(.ok, "")
}

extension Status: StatusConvertible {
  /// The status itself.
  public var status: Status { self }
}

extension Status: CustomStringConvertible {
  public var description: String {
    var text = "\(code)"
    if let sessionStatus { text += "/\(sessionStatus.rawValue)" }
    if reason != .unspecified { text += " (\(reason))" }
    return message.isEmpty ? text : text + ": " + message
  }
}
