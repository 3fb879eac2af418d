/// How a call or a session ended, as it is told to the other side.
public struct Status: Error, Hashable, Sendable {
  public var code: StatusCode

  /// For people: one or two sentences that say what to do. Never holds secrets or chat text.
  public var message: String

  /// The facade's code, when a client's session ends with this status; otherwise `nil`.
  public var sessionStatus: SessionStatusCode?

  public var reason: StatusReason

  public init(
    _ code: StatusCode, _ message: String, session: SessionStatusCode? = nil,
    reason: StatusReason = .unspecified
  ) {
    self.code = code
    self.message = message
    self.sessionStatus = session
    self.reason = reason
  }

  /// Success, without a word.
  public static let ok = Status(.ok, "")
}

extension Status: StatusConvertible {
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
