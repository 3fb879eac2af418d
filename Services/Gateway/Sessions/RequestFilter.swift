import Bus
import MeetingModel
import ServiceHost
import Wire

/// Decides which client requests are served.
///
/// The client must have started a session on its connection and must keep to the rate limits.
///
/// The filter runs before a request's body is read. It belongs to the gateway's socket thread.
final class RequestFilter {
  private let context: GatewayContext
  private var unauthenticated = UnauthenticatedLimits()

  init(in context: GatewayContext) { self.context = context }

  /// Returns why a request is rejected, or `nil` if it is served.
  ///
  /// Ends a session that exceeds its rate.
  ///
  /// - Parameter route: The connection of the request.
  func refusal(of header: V1.RequestHeader, from route: Route, to method: UInt32) -> Status? {
    guard let session = context.sessions[route] else {
      guard Self.callsWithoutSession.contains(method) else { return Self.notStarted }
      return unauthenticated.admit(route, now: context.now) ? nil : GatewayContext.flooding
    }
    // A client that stops a session during its opening does not know the session's id yet.
    let isStopOfOpening = method == Self.stop && !session.isOpen
    guard
      isStopOfOpening || Self.callsOfAnybody.contains(method)
        || header.sessionIDInPlace.id == session.id
    else { return Self.notStarted }
    session.lastHeard = context.now
    return context.charge(session)
  }

  /// Forgets connections that have made no call for a while.
  func forgetOld() { unauthenticated.forgetOld(now: context.now) }

  private static let stop = V1.AudioVideoFacadeMethods.stop.key
  private static let callsOfAnybody: Set<UInt32> = [
    V1.AudioVideoFacadeMethods.start.key, V1.AudioVideoFacadeMethods.getLimits.key,
  ]

  /// A second Stop finds no session, and has nothing to do.
  private static let callsWithoutSession = callsOfAnybody.union([stop])

  /// The error when the connection has no session, or the call names another one.
  static let notStarted = Status(
    .unauthenticated, "Call Start on this connection first.",
    session: .audioAuthenticationRejected, reason: .badCredentials)
}
