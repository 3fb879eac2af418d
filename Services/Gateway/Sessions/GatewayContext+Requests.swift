import MeetingModel
import ServiceHost

extension GatewayContext {
  /// Counts one more request of a session, by whichever face it came, and ends a session that makes
  /// too many.
  ///
  /// - Returns: Why it was ended; `nil`: it may go on.
  func charge(_ session: Session) -> Status? {
    guard !session.requests.take(now: now) else { return nil }
    metrics.flooding.increment()
    coordinator.end(session, Self.flooding, .cutOff)
    return Self.flooding
  }

  /// Why whoever asks for too much is refused, and its session ended.
  static let flooding = Status(
    .resourceExhausted, "Too many requests; slow down.", session: .audioServerHungup,
    reason: .flooding)
}
