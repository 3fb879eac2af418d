import Bus
import MeetingModel
import ServiceHost
import Storage
import Wire

/// Admits clients of all interfaces: checks the credentials, waits for a turn, and opens the
/// session.
///
/// All methods run on the gateway's socket thread.
final class SessionAdmission {
  private let keeper: GatewaySessionManager
  private let turns: AdmissionTurns
  private let context: GatewayContext

  init(_ keeper: GatewaySessionManager, _ turns: AdmissionTurns, in context: GatewayContext) {
    (self.keeper, self.turns, self.context) = (keeper, turns, context)
  }

  /// Admits a client and opens its session.
  ///
  /// The caller runs this method in a task. The caller cancels the task if the client leaves or
  /// sends a new request.
  ///
  /// - Parameters:
  ///   - isWaiting: Returns whether the client still waits. Called after the check of the
  ///     credentials, and after the wait for a turn.
  ///   - willOpen: Prepares the link for a session of this meeting.
  /// - Returns: The session, which the gateway now opens; `nil` if the client no longer waits.
  /// - Throws: The errors of ``SessionCredentials/admitted(by:)`` and ``AdmissionTurns/next()``.
  func admit(
    _ request: SessionRequest, _ link: any ClientLink, at route: RoutingID?,
    while isWaiting: () -> Bool = { true }, willOpen: (Meeting) -> Void = { _ in }
  ) async throws(Status) -> GatewayClientSession? {
    context.admissions += 1
    defer { context.admissions -= 1 }
    var (meeting, attendee) = try await check(request)
    let (turn, hasWaited) = try await turns.next()
    var isOpening = false
    defer { if !isOpening { turns.end(turn) } }
    // During the wait, an operator may have deleted the attendee or the meeting.
    if hasWaited { (meeting, attendee) = try await check(request) }
    guard !Task.isCancelled, isWaiting() else { return nil }
    isOpening = true
    willOpen(meeting)
    return keeper.open(request, meeting, attendee, link, at: route, in: turn)
  }

  /// Returns the meeting and the attendee of a request, from the store.
  @discardableResult
  func check(_ request: SessionRequest) async throws(Status) -> (Meeting, Attendee) {
    try await request.credentials.admitted(by: context.store)
  }

  /// Ends the link of a client that the gateway does not admit.
  func refuse(_ client: SessionLabel, _ link: any ClientLink, with status: Status) {
    keeper.note(status, refusing: client)
    link.end(V1.Status(status))
  }
}
