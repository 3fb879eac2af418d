/// The reason why a promotion failed, as one of the status codes that the promotion's observer
/// knows.
struct PromotionRefusal: Error, Hashable, Sendable {
  let statusCode: MeetingSessionStatusCode

  /// Creates a refusal. A reason that has no status code of its own becomes an internal server
  /// error.
  init(_ statusCode: MeetingSessionStatusCode?) {
    switch statusCode {
    case .audioAuthenticationRejected, .audioCallAtCapacity, .audioServiceUnavailable:
      self.statusCode = statusCode ?? .audioInternalServerError
    default:
      self.statusCode = .audioInternalServerError
    }
  }
}
