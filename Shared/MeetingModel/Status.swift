/// The outcome of a call or a session, as the other side receives it.
public struct Status: Error, Hashable, Sendable {
  /// The canonical code, from which the caller decides what to do.
  public var code: StatusCode

  /// One or two sentences for people, with a remedy. The sentences never contain secrets or chat
  /// text.
  public var message: String

  /// The session's status code in the client libraries' facade, if a client's session ends with
  /// this status; otherwise `nil`.
  public var sessionStatus: SessionStatusCode?

  /// The cause, for callers that distinguish causes of the same code.
  public var reason: StatusReason

  /// The delay before a retry, if the responder knows a better delay than the caller.
  public var retryAfter: Duration?

  /// Creates a status. Pass `session` only if the status ends a client's session.
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

  /// Success without a message.
  public static let ok = Status(.ok, "")
}

extension Status: StatusConvertible {
  /// This status, unchanged.
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
