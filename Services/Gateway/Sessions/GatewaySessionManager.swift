import Bus
import Logging
import MeetingModel
import ServiceHost
import Wire

/// Manages the sessions of a gateway: asks services to admit a session, begins the session's
/// streams, detaches the session and ends it.
///
/// ``SessionAdmissionTracker`` decides when to call and when to retry. The manager does not depend
/// on the clients' transport. Only the gateway's socket thread uses the manager.
final class GatewaySessionManager {
  /// The gateways at which clients can resume.
  private var gateways = ResumeGateways()

  private let context: GatewayContext
  private let parts: [any ServiceConnector]
  private let turns: AdmissionTurns
  private var ledger = SessionAdmissionTracker()
  private var pace = FlushSchedule()
  private var isWakeDue = false
  private let flushing = SessionsToFlush()
  private let factory: GatewaySessionFactory
  private var isAdvancing = false

  /// Detects stalls of this process.
  ///
  /// Each turn of the event loop checks this detector, at least twice a second.
  var stalls: ProcessStallDetector

  init(_ parts: [any ServiceConnector], _ turns: AdmissionTurns, in context: GatewayContext) {
    (self.parts, self.turns, self.context) = (parts, turns, context)
    factory = GatewaySessionFactory(flushing: flushing, in: context)
    stalls = ProcessStallDetector(interval: .milliseconds(500), at: context.now)
  }

  // MARK: Opening

  /// Opens or resumes a session of an admitted attendee.
  ///
  /// The manager sends the first items of the session over the link. If the manager rejects the
  /// session, the manager ends the link with the reason.
  ///
  /// - Parameter turn: The session's turn. The manager returns the turn when the session has begun
  ///   or failed.
  /// - Returns: The session, which the manager now opens.
  @discardableResult func open(
    _ request: SessionRequest, _ meeting: Meeting, _ attendee: Attendee, _ link: any ClientLink,
    at route: RoutingID?, in turn: AdmissionQueue.Ticket? = nil
  ) -> GatewayClientSession {
    let session = factory.make(request, meeting, attendee, link, at: route)
    session.opening?.turn = turn
    // The manager removes the former connection before the join. Otherwise the gateway could notice
    // the loss of the former connection after the join, and apply the loss to the new connection.
    if let older = context.sessions[session.id] { _ = remove(older) }
    context.sessions.insert(session)
    context.logger.step(
      request.resumed == nil ? "Opens a session" : "Opens a session that was there before",
      of: session.label)
    for hub in hubs(of: session) + unseenHubs(of: session) { hub.holds += 1 }
    ledger.open(session.number, needing: parts.compactMap { $0.need(of: session) }, at: context.now)
    carryOut()
    return session
  }

  // MARK: Services

  /// Sends a service the request to admit a session.
  ///
  /// Runs in the task that the coordinator starts.
  func attempt(_ attempt: SessionAdmissionTracker.ServiceRequest) async {
    guard let session = context.sessions[attempt.session],
      let part = parts.first(where: { $0.following.id == attempt.service })
    else { return }
    let result: Result<InitialDelivery, Status>
    do throws(Status) { result = .success(try await part.takeIn(session)) } catch {
      result = .failure(error)
    }
    guard !Task.isCancelled, context.sessions[attempt.session] === session else { return }
    if case .success(let delivery) = result { take(delivery, of: part, session) }
    ledger.answered(attempt, result.failure, at: context.now)
    carryOut()
  }

  /// Asks a service again to admit a session, because the service has lost the session.
  func lacks(_ session: SessionNumber, _ service: ServiceID) {
    ledger.lacks(session, service)
    carryOut()
  }

  private func take(
    _ delivery: InitialDelivery, of part: any ServiceConnector, _ session: GatewayClientSession
  ) {
    guard session.isOpen else {
      session.opening?.deliveries[part.following.id] = delivery
      return
    }
    if !delivery.isComplete, let stream = part.following.stream {
      session.queue(.eventsLost(V1.EventsLost(stream: stream.name)))
    }
    delivery.give()
  }

  private func carryOut() {
    for effect in ledger.takeEffects() {
      switch effect {
      case .ask(let attempt): context.coordinator.take(attempt)
      case .begin(let number): begin(number)
      case .refuse(let number, let status): refuse(number, status)
      case .goOnWithout(let service, let number, let status):
        guard let session = context.sessions[number] else { continue }
        context.logger.step(
          "A service does not take a session in", at: .warning, of: session.label,
          [LogMetadataKey.service: "\(service)", LogMetadataKey.status: "\(status.code)"])
      }
    }
    keepAdvancing()
  }

  /// Makes the retries that are due, every 20 ms, as long as any session waits for a retry at a
  /// service.
  private func keepAdvancing() {
    guard ledger.isWaiting, !isAdvancing else { return }
    isAdvancing = true
    context.after(.milliseconds(20)) { [unowned self] in
      isAdvancing = false
      ledger.advance(to: context.now)
      carryOut()
    }
  }

  // MARK: Beginning

  /// Begins the stream of a session that is in the roster.
  ///
  /// The client gets its first items immediately, and then every later event.
  private func begin(_ number: SessionNumber) {
    guard let session = context.sessions[number], let opening = session.opening else { return }
    if let turn = opening.turn { turns.end(turn) }
    if let older = context.sessions[session.id] { _ = remove(older) }
    session.queue(.sessionStarted(started(session, opening)))
    session.opening = nil
    session.lastHeard = context.now  // The measurement of silence starts now.
    context.sessions.open(session)
    for part in parts {
      guard let meeting = part.meeting(heardBy: session) else { continue }
      let hub = part.following.hub(of: meeting)
      hub.holds -= 1
      hub.add(session)
      opening.deliveries[part.following.id]?.give()
    }
    context.metrics.sessionsStarted.increment()
    context.logger.step(
      opening.wasPresent ? "A session goes on" : "A session began", of: session.label)
  }

  private func started(_ session: GatewayClientSession, _ opening: OpeningSession)
    -> V1.SessionStarted
  {
    let record = session.record
    let incomplete = parts.filter { opening.deliveries[$0.following.id]?.isComplete == false }
    return V1.SessionStarted(
      sessionID: session.id.bytes,
      isResumed: opening.wasPresent && opening.request.resumed != nil,
      isRecovered: opening.isRecovered,
      keepAliveMs: UInt32(context.settings.keepAlive / .milliseconds(1)), limits: limits,
      capabilities: record.capabilities, meetingID: record.meetingID, attendee: record.attendee,
      gateway: context.settings.instance, serverTimeMs: WallClock.nowMs,
      primaryMeetingID: record.primaryMeetingID,
      incompleteStreams: incomplete.compactMap(\.following.stream?.name),
      gateways: gateways.endpoints)
  }

  /// The limits that apply: this gateway's limits, and the limits that the services last reported.
  var limits: V1.Limits {
    parts.compactMap(\.following.limits).reduce(into: context.settings.wireLimits) {
      limits, other in
      limits.merge(other)
    }
  }

  private func refuse(_ number: SessionNumber, _ status: Status) {
    guard let session = context.sessions[number], let opening = session.opening else { return }
    note(status, refusing: session.label)
    abandon(session, opening)
    session.link.end(V1.Status(status))
  }

  /// Counts and logs the rejection of a Start.
  func note(_ status: Status, refusing session: SessionLabel) {
    context.metrics.refusals[StartRefusalLabel(status)].increment()
    context.logger.step(
      "Refused a session", at: .info, of: session,
      [LogMetadataKey.status: "\(status.code)", LogMetadataKey.reason: "\(status.reason)"])
  }

  /// Removes a session that has not opened, and releases it at the services that may have admitted
  /// it.
  private func abandon(_ session: GatewayClientSession, _ opening: OpeningSession) {
    if let turn = opening.turn { turns.end(turn) }
    guard remove(session) else { return }
    let isResumed = opening.request.resumed != nil
    for part in parts {
      switch part.need(of: session)?.step {
      case .roster: part.detach(session)
      case .beforeRoster where !isResumed: part.release(session, .cutOff)
      case .beforeRoster, .afterRoster: if isResumed { part.detach(session) }
      case nil: break
      }
    }
  }

  // MARK: Endings

  /// Detaches a session after the loss or the end of its connection.
  ///
  /// The client may resume the session, and `presence` waits for the client.
  func detach(_ session: GatewayClientSession, because status: Status?) {
    if let opening = session.opening { return abandon(session, opening) }
    guard remove(session) else { return }
    context.logger.step(
      "Lost a session's client", of: session.label,
      status.map { [LogMetadataKey.status: "\($0.code)", LogMetadataKey.reason: "\($0.reason)"] }
        ?? [:])
    if let status { session.link.end(V1.Status(status)) }
    for part in parts { part.detach(session) }
  }

  /// Ends a session permanently.
  ///
  /// The gateway sends the waiting items to the client before the end.
  func end(_ session: GatewayClientSession, _ status: Status?, _ ending: SessionEndInitiator) {
    if let opening = session.opening {
      abandon(session, opening)
    } else {
      guard remove(session, as: ending == .byClient ? .client : .connectionLost) else { return }
      _ = session.link.flush()
    }
    session.link.end(status.map { V1.Status($0) })
    context.logger.step(
      "A session ended", of: session.label,
      [LogMetadataKey.reason: "\(ending)", LogMetadataKey.status: "\(status?.code ?? .ok)"])
    // The services keep the sessions of a replica as sessions of the primary meeting. The primary
    // does not end with the replica, so the services must release these sessions.
    guard ending != .withMeeting || session.isReplica else { return }
    for part in parts { part.release(session, ending) }
  }

  private func remove(
    _ session: GatewayClientSession, as reason: V1.PresenceReason = .connectionLost
  ) -> Bool {
    guard context.sessions.remove(session) else { return false }
    context.coordinator.willRemove(session, as: reason)
    ledger.close(session.number)
    for part in parts { context.coordinator.giveUp(session.number, part.following.id) }
    for hub in hubs(of: session) {
      if session.isOpen { hub.remove(session) } else { hub.holds -= 1 }
    }
    for hub in unseenHubs(of: session) { hub.holds -= 1 }
    for part in parts {
      for meeting in [part.meeting(heardBy: session), part.meeting(endingUnseen: session)] {
        if let meeting { part.following.forgetIfUnused(meeting) }
      }
    }
    return true
  }

  private func hubs(of session: GatewayClientSession) -> [StreamHub] {
    parts.compactMap { part in part.meeting(heardBy: session).map(part.following.hub(of:)) }
  }

  private func unseenHubs(of session: GatewayClientSession) -> [StreamHub] {
    parts.compactMap { part in part.meeting(endingUnseen: session).map(part.following.hub(of:)) }
  }

  // MARK: Time

  /// Sends the waiting items to clients, at the end of a turn of the event loop.
  func flush() {
    // After a stall, the gateway must restart the measurement of silence before it detects lost
    // connections below.
    excuseStandstill()
    guard !flushing.sessions.isEmpty else { return }
    let now = ContinuousClock.now
    if let end = pace.hold(items: flushing.items, at: now) { return wake(at: end, now: now) }
    pace.begin(items: flushing.items, sessions: flushing.sessions.count, at: now)
    let waiting = flushing.sessions
    (flushing.sessions, flushing.items) = ([], 0)
    for session in waiting {
      switch session.link.flush() {
      case .sent:
        break
      case .overBudget:
        context.metrics.slowClients.increment()
        detach(session, because: Self.tooSlow)
      case .unreachable:
        detach(session, because: nil)
      }
    }
  }

  /// Records that the sockets have written the items.
  func flushed() { pace.end(at: ContinuousClock.now) }

  /// Schedules a turn of the event loop for the time at which the gateway may send the items.
  private func wake(at end: ContinuousClock.Instant, now: ContinuousClock.Instant) {
    guard !isWakeDue else { return }
    isWakeDue = true
    context.after(end - now) { [weak self] in self?.isWakeDue = false }
  }

  private static let tooSlow = Status(
    .resourceExhausted, "The client reads too slowly; resume the session.",
    session: .audioServerHungup, reason: .slowConsumer)

  /// Detaches the clients that missed three keep-alives.
  ///
  /// `presence` decides whether to drop their attendees.
  func endSilentSessions() {
    excuseStandstill()
    let usual = context.settings.keepAlive * 3
    for session in context.sessions.all {
      let limit = session.link.longestSilence ?? usual
      if context.now - session.lastHeard > limit { detach(session, because: Self.silent) }
    }
  }

  private static let silent = Status(
    .unavailable, "Three keep-alives of the client are missing; resume the session.",
    reason: .keepAliveLost)

  /// Restarts the measurement of clients' silence after a stall of this process.
  ///
  /// The gateway has not yet read the messages that arrived during the stall. So the gateway must
  /// not detach clients because of the duration of the stall, and the services must not treat this
  /// duration as silence.
  private func excuseStandstill() {
    guard stalls.look(at: context.now) > .zero else { return }
    for session in context.sessions.all { session.lastHeard = context.now }
  }

  /// Sends clients the list of gateways.
  ///
  /// While this gateway drains, the manager also moves some clients to the other gateways. The
  /// gateway moves a few clients at a time, because the other gateways must admit these clients.
  func show(_ gateways: ResumeGateways) {
    if gateways.endpoints != self.gateways.endpoints {
      let item = PackedSessionEvents(
        V1.SessionEvents(events: [
          V1.SessionEvent(
            event: .gatewaysChanged(V1.GatewaysChanged(endpoints: gateways.endpoints)))
        ]))
      for session in context.sessions.all { session.queue(item) }
    }
    self.gateways = gateways
    guard gateways.isDraining else { return }
    for session in context.sessions.all.prefix(Self.sentAwayAtOnce) {
      sendAway(session, Self.draining)
    }
  }

  /// The number of clients that a draining gateway moves each half second.
  private static let sentAwayAtOnce = 100

  /// Moves every client to another gateway before the process stops.
  func drain() {
    for session in context.sessions.all { sendAway(session, Self.stopping) }
  }

  private func sendAway(_ session: GatewayClientSession, _ status: Status) {
    _ = session.link.flush()
    session.link.end(V1.Status(status))
    context.logger.step("Sent a session's client to another gateway", of: session.label)
    _ = remove(session)
  }

  /// The status with which a session ends while an operator drains this gateway. The process keeps
  /// running.
  private static let draining = Status(
    .unavailable,
    "This gateway is draining: it moves its clients to other gateways. Resume at another gateway.",
    reason: .draining)

  /// The status with which a session ends before this process stops.
  private static let stopping = Status(
    .unavailable, "This gateway is stopping. Resume at another gateway.", reason: .draining)
}
