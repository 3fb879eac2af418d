import MeetingModel
import ServiceHost

extension GatewayContext {
  /// Counts a request of a session, from any interface, and ends a session that makes too many.
  ///
  /// - Returns: The reason for the end, or `nil` if the session may go on.
  func charge(_ session: Session) -> Status? {
    guard !session.requests.take(now: now) else { return nil }
    metrics.flooding.increment()
    coordinator.end(session, Self.flooding, .cutOff)
    return Self.flooding
  }

  /// The error for too many requests, with which the session also ends.
  static let flooding = Status(
    .resourceExhausted, "Too many requests; slow down.", session: .audioServerHungup,
    reason: .flooding)
}
