import Bus
import Logging
import MeetingModel
import ServiceHost
import Wire

/// Keeps the sessions of a gateway: brings each to the services that it needs, begins its stream,
/// detaches and ends it.
///
/// What is asked when, and tried again, is decided by ``SessionLedger``. It does not know how
/// clients are connected. Lives on the gateway's socket thread.
final class SessionKeeper {
  /// Where clients can resume.
  private var gateways = GatewayList()

  private let context: GatewayContext
  private let parts: [any ServiceConnector]
  private let turns: AdmissionTurns
  private var ledger = SessionLedger()
  private var pace = FlushPace()
  private var isWakeDue = false
  private let flushing = FlushQueue()
  private let factory: SessionFactory
  private var isAdvancing = false

  /// Looked at in each turn of the loop, at least twice a second.
  var stalls: StallWatch

  init(_ parts: [any ServiceConnector], _ turns: AdmissionTurns, in context: GatewayContext) {
    (self.parts, self.turns, self.context) = (parts, turns, context)
    factory = SessionFactory(flushing: flushing, in: context)
    stalls = StallWatch(interval: .milliseconds(500), at: context.now)
  }

  // MARK: Opening

  /// Opens or resumes a session of an attendee who is admitted.
  ///
  /// The link hears the session's beginning, or its end with why it was refused.
  ///
  /// - Parameter turn: The keeper gives it back when either has come.
  /// - Returns: The session, which is being opened.
  @discardableResult func open(
    _ request: SessionRequest, _ meeting: Meeting, _ attendee: Attendee, _ link: any ClientLink,
    at route: Route?, in turn: AdmissionQueue.Ticket? = nil
  ) -> Session {
    let session = factory.make(request, meeting, attendee, link, at: route)
    session.opening?.turn = turn
    // From here on the connection that the session had before counts for nothing: its loss, noticed
    // after the join, would be taken for that of the new one.
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

  /// Has a service take a session in; in the task that the coordinator starts.
  func attempt(_ attempt: SessionLedger.Attempt) async {
    guard let session = context.sessions[attempt.session],
      let part = parts.first(where: { $0.following.id == attempt.service })
    else { return }
    let result: Result<Delivery, Status>
    do throws(Status) { result = .success(try await part.takeIn(session)) } catch {
      result = .failure(error)
    }
    guard !Task.isCancelled, context.sessions[attempt.session] === session else { return }
    if case .success(let delivery) = result { take(delivery, of: part, session) }
    ledger.answered(attempt, result.failure, at: context.now)
    carryOut()
  }

  /// A service must be asked again for a session.
  func lacks(_ session: SessionNumber, _ service: ServiceID) {
    ledger.lacks(session, service)
    carryOut()
  }

  private func take(_ delivery: Delivery, of part: any ServiceConnector, _ session: Session) {
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
          [LogKey.service: "\(service)", LogKey.status: "\(status.code)"])
      }
    }
    keepAdvancing()
  }

  /// Looks every 20 ms what is due, while anything waits.
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

  /// The session is in the roster: it gets its first items, and from here on every event.
  private func begin(_ number: SessionNumber) {
    guard let session = context.sessions[number], let opening = session.opening else { return }
    if let turn = opening.turn { turns.end(turn) }
    if let older = context.sessions[session.id] { _ = remove(older) }
    session.queue(.sessionStarted(started(session, opening)))
    session.opening = nil
    session.lastHeard = context.now  // The client was silent because it waited for this.
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

  private func started(_ session: Session, _ opening: SessionOpening) -> V1.SessionStarted {
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

  /// The limits in force: this gateway's, and what the services last said of theirs.
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

  /// Notes that a Start was refused.
  func note(_ status: Status, refusing session: SessionLabel) {
    context.metrics.refusals[RefusalCode(status)].increment()
    context.logger.step(
      "Refused a session", at: .info, of: session,
      [LogKey.status: "\(status.code)", LogKey.reason: "\(status.reason)"])
  }

  /// The session is not opened: whoever has taken it in already need not go on counting on it.
  private func abandon(_ session: Session, _ opening: SessionOpening) {
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

  /// Contact is lost or cut: the client may resume, presence waits for it.
  func detach(_ session: Session, because status: Status?) {
    if let opening = session.opening { return abandon(session, opening) }
    guard remove(session) else { return }
    context.logger.step(
      "Lost a session's client", of: session.label,
      status.map { [LogKey.status: "\($0.code)", LogKey.reason: "\($0.reason)"] } ?? [:])
    if let status { session.link.end(V1.Status(status)) }
    for part in parts { part.detach(session) }
  }

  /// The session is over for good; what waits for the client is sent before its end.
  func end(_ session: Session, _ status: Status?, _ ending: SessionEnding) {
    if let opening = session.opening {
      abandon(session, opening)
    } else {
      guard remove(session, as: ending == .byClient ? .client : .connectionLost) else { return }
      _ = session.link.flush()
    }
    session.link.end(status.map { V1.Status($0) })
    context.logger.step(
      "A session ended", of: session.label,
      [LogKey.reason: "\(ending)", LogKey.status: "\(status?.code ?? .ok)"])
    // What a replica's session has at the owners of its primary does not end with the replica.
    guard ending != .withMeeting || session.isReplica else { return }
    for part in parts { part.release(session, ending) }
  }

  private func remove(
    _ session: Session, as reason: V1.PresenceReason = .connectionLost
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

  private func hubs(of session: Session) -> [StreamHub] {
    parts.compactMap { part in part.meeting(heardBy: session).map(part.following.hub(of:)) }
  }

  private func unseenHubs(of session: Session) -> [StreamHub] {
    parts.compactMap { part in part.meeting(endingUnseen: session).map(part.following.hub(of:)) }
  }

  // MARK: Time

  /// Sends what waits for clients, at the end of a turn of the loop.
  func flush() {
    // Whose connection ended during a standstill is found out here before anything else.
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

  /// What was sent has left.
  func flushed() { pace.end(at: ContinuousClock.now) }

  /// The loop has a turn when what waits may leave.
  private func wake(at end: ContinuousClock.Instant, now: ContinuousClock.Instant) {
    guard !isWakeDue else { return }
    isWakeDue = true
    context.after(end - now) { [weak self] in self?.isWakeDue = false }
  }

  private static let tooSlow = Status(
    .resourceExhausted, "The client reads too slowly; resume the session.",
    session: .audioServerHungup, reason: .slowConsumer)

  /// Detaches the clients that missed three keep-alives: presence decides what becomes of them.
  func endSilentSessions() {
    excuseStandstill()
    let usual = context.settings.keepAlive * 3
    for session in context.sessions.all {
      let limit = session.link.longestSilence ?? usual
      if context.now - session.lastHeard > limit { detach(session, because: Self.silent) }
    }
  }

  private static let silent = Status(
    .unavailable, "Three keep-alives did not come; resume the session.", reason: .keepAliveLost)

  /// If this process stood still, what clients said meanwhile has not been read yet: they are
  /// listened to before they are judged, and nobody is told of that time as their silence.
  private func excuseStandstill() {
    guard stalls.look(at: context.now) > .zero else { return }
    for session in context.sessions.all { session.lastHeard = context.now }
  }

  /// Tells clients where they can resume, and while this gateway drains some of them to do so: a
  /// few at a time, because the others have to take them in.
  func show(_ gateways: GatewayList) {
    if gateways.endpoints != self.gateways.endpoints {
      let item = SharedItem(
        V1.SessionEvents(events: [
          V1.SessionEvent(
            event: .gatewaysChanged(V1.GatewaysChanged(endpoints: gateways.endpoints)))
        ]))
      for session in context.sessions.all { session.queue(item) }
    }
    self.gateways = gateways
    guard gateways.isDraining else { return }
    for session in context.sessions.all.prefix(Self.sentAwayAtOnce) { sendAway(session) }
  }

  /// How many clients a gateway that drains sends away each half second.
  private static let sentAwayAtOnce = 100

  /// Tells every client to go elsewhere.
  func drain() {
    for session in context.sessions.all { sendAway(session) }
  }

  private func sendAway(_ session: Session) {
    _ = session.link.flush()
    session.link.end(V1.Status(Self.draining))
    context.logger.step("Sent a session's client to another gateway", of: session.label)
    _ = remove(session)
  }

  private static let draining = Status(
    .unavailable, "This gateway is stopping; resume elsewhere.", reason: .draining)
}
