import MeetingModel
import ServiceHost

extension GatewayContext {
  /// Counts a request of a session, from any interface. Ends the session if it makes too many
  /// requests.
  ///
  /// - Returns: The reason for the end; `nil` if the session continues.
  func charge(_ session: GatewayClientSession) -> Status? {
    guard !session.requests.take(now: now) else { return nil }
    metrics.flooding.increment()
    coordinator.end(session, Self.flooding, .cutOff)
    return Self.flooding
  }

  /// The error for too many requests. The session also ends with this error.
  static let flooding = Status(
    .resourceExhausted, "Too many requests; slow down.", session: .audioServerHungup,
    reason: .flooding)
}
