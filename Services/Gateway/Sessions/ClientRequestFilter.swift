import Bus
import MeetingModel
import ServiceHost
import Wire

/// Decides which client requests the gateway serves.
///
/// The client must have started a session on its connection, and must observe the rate limits.
///
/// The filter runs before the gateway reads a request's body. Only the gateway's socket thread uses
/// the filter.
final class ClientRequestFilter {
  private let context: GatewayContext
  private var unauthenticated = UnauthenticatedLimits()

  init(in context: GatewayContext) { self.context = context }

  /// Returns the reason to reject a request; `nil` if the gateway serves the request.
  ///
  /// Ends a session that exceeds its rate.
  ///
  /// - Parameter route: The connection of the request.
  func refusal(of header: V1.RequestHeader, from route: RoutingID, to method: UInt32) -> Status? {
    guard let session = context.sessions[route] else {
      guard Self.callsWithoutSession.contains(method) else { return Self.notStarted }
      return unauthenticated.admit(route, now: context.now) ? nil : GatewayContext.flooding
    }
    // A client that stops an opening session does not have the session's id yet.
    let isStopOfOpening = method == Self.stop && !session.isOpen
    guard
      isStopOfOpening || Self.callsOfAnybody.contains(method)
        || header.sessionIDInPlace.id == session.id
    else { return Self.notStarted }
    session.lastHeard = context.now
    return context.charge(session)
  }

  /// Forgets each connection 30 s after its last call.
  func forgetOld() { unauthenticated.forgetOld(now: context.now) }

  private static let stop = V1.AudioVideoFacadeMethods.stop.key
  private static let callsOfAnybody: Set<UInt32> = [
    V1.AudioVideoFacadeMethods.start.key, V1.AudioVideoFacadeMethods.getLimits.key,
  ]

  /// The calls that need no session. A second Stop finds no session, and then does nothing.
  private static let callsWithoutSession = callsOfAnybody.union([stop])

  /// The error if the connection has no session, or if the call contains another session's id.
  static let notStarted = Status(
    .unauthenticated, "Call Start on this connection first.",
    session: .audioAuthenticationRejected, reason: .badCredentials)
}
