public import MeetingModel

extension V1.Status {
  /// Encodes a status for the wire.
  public init(_ status: Status) {
    self.init(
      code: V1.StatusCode(status.code), message: status.message,
      sessionStatus: V1.SessionStatusCode(status.sessionStatus ?? .ok),
      reason: V1.StatusReason(status.reason),
      retryAfterMs: UInt32(clamping: Int((status.retryAfter ?? .zero) / .milliseconds(1))))
  }
}

extension Status {
  /// Decodes a status that a message carries; `nil` for success.
  ///
  /// An unrecognized code becomes `unknown`, and an unrecognized reason becomes `unspecified`. A
  /// peer of a newer version can send such codes and reasons.
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
  /// The status that the sender receives: `invalidArgument` with reason `malformed`.
  public var status: Status { Status(.invalidArgument, "\(self)", reason: .malformed) }
}
