public import MeetingModel

extension V1.Status {
  /// A status as it travels.
  public init(_ status: Status) {
    self.init(
      code: V1.StatusCode(rawValue: Int32(status.code.rawValue)), message: status.message,
      sessionStatus: V1.SessionStatusCode(rawValue: Int32(status.sessionStatus?.rawValue ?? 0)),
      reason: V1.StatusReason(rawValue: Int32(status.reason.rawValue)))
  }
}

extension Status {
  /// A status that arrived; `nil` when it says that all went well.
  ///
  /// A code or a reason of a newer peer becomes `unknown` or `unspecified`.
  public init?(_ status: V1.Status) {
    let code =
      UInt32(exactly: status.code.rawValue).flatMap { StatusCode(rawValue: $0) } ?? .unknown
    guard code != .ok else { return nil }
    let session = UInt32(exactly: status.sessionStatus.rawValue).flatMap { number in
      number == 0 ? nil : SessionStatusCode(rawValue: number) ?? .unknown
    }
    let reason = UInt32(exactly: status.reason.rawValue).flatMap { StatusReason(rawValue: $0) }
    self.init(code, status.message, session: session, reason: reason ?? .unspecified)
  }
}

extension WireError: StatusConvertible {
  public var status: Status { Status(.invalidArgument, "\(self)", reason: .malformed) }
}
