import Bus
import MeetingModel
import ServiceHost
import Wire

/// Decides which requests of clients are looked at: who calls must have started a session on its
/// connection, and may not call more often than the limits say.
///
/// It sees each request before its body is read. Lives on the gateway's socket thread.
final class RequestFilter {
  private let context: GatewayContext
  private var unauthenticated = UnauthenticatedLimits()

  init(in context: GatewayContext) { self.context = context }

  /// Why a request is not served; `nil` if it is. A client that exceeds the rate of its session is
  /// ended.
  ///
  /// - Parameter route: The connection that it came by.
  func refusal(of header: V1.RequestHeader, from route: Route, to method: UInt32) -> Status? {
    guard let session = context.sessions[route] else {
      guard Self.callsWithoutSession.contains(method) else { return Self.notStarted }
      return unauthenticated.admit(route, now: context.now) ? nil : GatewayContext.flooding
    }
    // Who stops a session that is being opened does not know its id yet.
    let isStopOfOpening = method == Self.stop && !session.isOpen
    guard
      isStopOfOpening || Self.callsOfAnybody.contains(method)
        || header.sessionIDInPlace.id == session.id
    else { return Self.notStarted }
    session.lastHeard = context.now
    return context.charge(session)
  }

  /// Forgets connections that have not called for a while.
  func forgetOld() { unauthenticated.forgetOld(now: context.now) }

  private static let stop = V1.AudioVideoFacadeMethods.stop.key
  private static let callsOfAnybody: Set<UInt32> = [
    V1.AudioVideoFacadeMethods.start.key, V1.AudioVideoFacadeMethods.getLimits.key,
  ]

  /// A second Stop finds no session, and has nothing to do.
  private static let callsWithoutSession = callsOfAnybody.union([stop])

  /// There is no session on the connection, or the call names another one.
  static let notStarted = Status(
    .unauthenticated, "Call Start on this connection first.",
    session: .audioAuthenticationRejected, reason: .badCredentials)
}
