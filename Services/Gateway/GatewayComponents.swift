import Bus
import MeetingModel
import ServiceHost
import Wire

/// The components of one gateway.
///
/// ``GatewayComponents`` creates the components one after another, and passes each new component
/// the earlier components that the new component uses. A component calls later components through
/// ``GatewayCoordinator``.
///
/// All components run on the gateway's socket thread.
final class GatewayComponents {
  private let makeContext: (any GatewayCoordinator) -> GatewayContext
  private let tasks: GatewayTasks
  private let mailbox: BrowserEventQueue
  private let browserMetrics: BrowserConnectionMetrics

  private(set) lazy var context = makeContext(self)
  private(set) lazy var services = ServiceConnectors(in: context)
  private(set) lazy var turns = AdmissionTurns(in: context)
  private(set) lazy var keeper = GatewaySessionManager(services.all, turns, in: context)
  private(set) lazy var promoter = Promoter(services, in: context)
  private(set) lazy var calls = SessionCalls(services, keeper, promoter, in: context)
  private(set) lazy var admission = SessionAdmission(keeper, turns, in: context)
  private(set) lazy var requestFilter = ClientRequestFilter(in: context)
  private(set) lazy var tileWatches = TileDecisionWatchers(services.tiles)
  private(set) lazy var browsers = BrowserConnections(
    mailbox, browserMetrics, admission, calls, tasks, in: context)

  /// - Parameter makeContext: Creates the state that the components share. The closure receives the
  ///   coordinator.
  init(
    _ tasks: GatewayTasks, _ mailbox: BrowserEventQueue, _ browserMetrics: BrowserConnectionMetrics,
    in makeContext: @escaping (any GatewayCoordinator) -> GatewayContext
  ) {
    (self.tasks, self.makeContext) = (tasks, makeContext)
    (self.mailbox, self.browserMetrics) = (mailbox, browserMetrics)
  }

  /// Sends heartbeats, and ends sessions that were silent for too long.
  ///
  /// The gateway calls this method twice a second.
  func tick() {
    for part in services.all { part.following.tick() }
    keeper.endSilentSessions()
    browsers.tick()
    requestFilter.forgetOld()
    updateMetrics()
  }

  private func updateMetrics() {
    let (sessions, metrics) = (context.sessions, context.metrics)
    metrics.sessions.set(sessions.count)
    metrics.meetings.set(sessions.occupiedMeetings.count)
    metrics.bytesUnderWay.set(sessions.all.reduce(0) { $0 + $1.link.unacknowledged })
  }

  /// Reads the live instances of each service from the registry.
  ///
  /// - Throws: The registry's error, or the reason why the gateway cannot open sockets.
  func refresh(from registry: any Registry) async throws {
    for part in services.all {
      let live = try await registry.liveInstances(of: part.following.id.name)
      try part.following.refresh(with: live)
    }
  }

  /// Checks that beacons arrive from at least one instance of a service.
  ///
  /// - Throws: The reason, if no beacons arrive.
  func check(_ service: ServiceID) throws(Status) {
    guard let following = following(service), !following.isHeard else { return }
    throw following.refusal
      ?? Status(.unavailable, "The service \(service) does not answer; check that it runs.")
  }

  private func following(_ service: ServiceID) -> (any OwnerFollowing)? {
    services.all.map(\.following).first { $0.id == service }
  }

  /// Announces sessions to an instance. Repeats the announcement until the instance answers.
  ///
  /// Does nothing if the instance no longer exists.
  private func announceUntilHeard(_ service: ServiceID, by instance: String) async {
    guard let following = following(service) else { return }
    try? await Retry(until: nil, pause: .milliseconds(100)).run(on: context.thread) {
      () async throws(Status) in try await following.announce(to: instance)
    }
  }
}

extension GatewayComponents: GatewayCoordinator {
  func announce(_ service: ServiceID, to instance: String) {
    tasks.start(.announce(service, instance: instance)) {
      await $0.parts.announceUntilHeard(service, by: instance)
    }
  }

  func sessionLacks(_ session: SessionNumber, _ service: ServiceID) {
    keeper.lacks(session, service)
  }

  func take(_ attempt: SessionAdmissionTracker.ServiceRequest) {
    tasks.start(.takeIn(attempt.session, attempt.service)) {
      await $0.parts.keeper.attempt(attempt)
    }
  }

  func giveUp(_ session: SessionNumber, _ service: ServiceID) {
    tasks.cancel(.takeIn(session, service))
  }

  func end(_ session: GatewayClientSession, _ status: Status?, _ ending: SessionEndInitiator) {
    keeper.end(session, status, ending)
  }

  func willRemove(_ session: GatewayClientSession, as reason: V1.PresenceReason) {
    promoter.leave(session, as: reason)
  }

  func sessionLost(_ session: SessionID, in meeting: MeetingID) {
    services.messages.lose(session, in: meeting)
  }

  func endPromotion(of session: GatewayClientSession, with status: Status) {
    promoter.endedByPresence(session, with: status)
  }

  func mutedByHost(_ session: GatewayClientSession) {
    let number = session.number
    tasks.start(.silence(number)) { gateway in
      guard let session = gateway.parts.context.sessions[number] else { return }
      await gateway.parts.services.media.tell(
        .isMuted(session.isMutedByItself), of: session.actorID, in: session.sourceMeeting)
    }
  }

  func meetingEnded(_ meeting: MeetingID, with status: Status) {
    let request = V1.EndMeetingRequest(meetingID: meeting.text, status: V1.Status(status))
    services.tiles.endMeeting(request, meeting)
    services.media.endMeeting(request, meeting)
  }

  func recordRosters() {
    tasks.start(.recordRosters) { await $0.parts.services.roster.recorder.store() }
  }
}
