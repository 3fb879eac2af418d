/// Why a promotion did not come about, in one of the codes that its observer knows.
struct PromotionRefusal: Error, Hashable, Sendable {
  let statusCode: MeetingSessionStatusCode

  /// Whatever has no code of its own is an error of the server.
  init(_ statusCode: MeetingSessionStatusCode?) {
    switch statusCode {
    case .audioAuthenticationRejected, .audioCallAtCapacity, .audioServiceUnavailable:
      self.statusCode = statusCode ?? .audioInternalServerError
    default:
      self.statusCode = .audioInternalServerError
    }
  }
}
