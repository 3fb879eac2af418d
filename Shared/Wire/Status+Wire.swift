public import MeetingModel

extension V1.Status {
  /// A status as it travels.
  public init(_ status: Status) {
    self.init(
      code: V1.StatusCode(status.code), message: status.message,
      sessionStatus: V1.SessionStatusCode(status.sessionStatus ?? .ok),
      reason: V1.StatusReason(status.reason),
      retryAfterMs: UInt32(clamping: Int((status.retryAfter ?? .zero) / .milliseconds(1))))
  }
}

extension Status {
  /// A status that arrived; `nil` when it says that all went well.
  ///
  /// A code or a reason of a newer peer becomes `unknown` or `unspecified`.
  public init?(_ status: V1.Status) {
    let code = StatusCode(status.code) ?? .unknown
    guard code != .ok else { return nil }
    let session = SessionStatusCode(status.sessionStatus) ?? .unknown
    self.init(
      code, status.message, session: session == .ok ? nil : session,
      reason: StatusReason(status.reason) ?? .unspecified,
      retryAfter: status.retryAfterMs == 0 ? nil : .milliseconds(Int(status.retryAfterMs)))
  }
}

extension WireError: StatusConvertible {
  /// What the sender is told: the message is malformed.
  public var status: Status { Status(.invalidArgument, "\(self)", reason: .malformed) }
}
