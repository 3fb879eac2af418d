import Bus
import Logging
import MeetingModel
import ServiceHost
import Storage
import Wire
import ZeroMQ

// A session's life: admitted, joined, told what happens, detached or ended. It does not know how its
// client is connected.
extension GatewayService {
  /// Opens or resumes a session: credentials first, then presence, then the stream begins.
  func open(_ request: V1.StartRequest, traceparent: String, at route: Route) async {
    guard let link = makeLink(to: route) else { return }
    defer { if !Task.isCancelled { opening[route] = nil } }
    do {
      let opening = try SessionRequest(request, traceparent: traceparent)
      let (meeting, attendee) = try await admit(opening)
      try Task.checkCancellation()
      try await enter(makeSession(opening, meeting, attendee, link), opening, at: route)
      metrics.sessionsStarted.increment()
    } catch is CancellationError {
      // A newer Start of the same connection, or the end of this process, took its place.
    } catch {
      let status = Status(describing: error)
      metrics.refusals[RefusalCode(status)].increment()
      logger.info(
        "Refused a session",
        metadata: [
          LogKey.meeting: "\(request.meetingID.prefix(8))", LogKey.status: "\(status.code)",
        ])
      link.end(V1.Status(status))
    }
  }

  /// Joins, and begins the stream. Whatever goes wrong, presence does not go on counting on a session
  /// that is not here.
  private func enter(_ session: Session, _ opening: SessionRequest, at route: Route) async throws {
    // From here on the connection that the session had before counts for nothing: its loss, noticed
    // after the join, would be taken for that of the new one.
    if let older = sessions[session.id] { _ = remove(older) }
    joining[session.id, default: 0] += 1
    let roster = rosterHub(for: session.meeting)
    let messages = session.messagesMeeting.map { messagesHub(for: $0) }
    let transcripts = session.messagesMeeting.map { transcriptsHub(for: $0) }
    let streams = [roster.events, messages, transcripts, boardHub(for: session.boardMeeting)]
      .compactMap(\.self)
    for stream in streams { stream.openings += 1 }
    defer {
      for stream in streams { stream.openings -= 1 }
      forgetUnused(session)
    }
    do {
      // Before the others see it in the roster: from then on they expect it to get what they send.
      let missed = await fetchMessages(for: session, after: opening.position(in: .messages))
      let board = try await enterBoard(session, isResume: opening.resumed != nil)
      let reply = try await join(session, opening)
      guard reply.roster != nil else { throw Self.presenceIsAway }
      try await begin(session, reply, missed, board, resuming: opening, at: route)
      endJoining(session.id)
    } catch {
      endJoining(session.id)
      tellDetached(session.id, in: session.meeting, lastHeard: session.lastHeard)
      if opening.resumed == nil {
        forgetReader(session)
        leaveBoard(session)
      }
      throw error
    }
  }

  private func endJoining(_ id: SessionID) {
    let others = joining[id, default: 1] - 1
    joining[id] = others == 0 ? nil : others
  }

  /// Wrong token, unknown attendee and unknown meeting are one answer.
  private func admit(_ request: SessionRequest) async throws -> (Meeting, Attendee) {
    let admission = try await store.admission(
      meeting: request.meeting, attendee: request.participant.attendee, token: request.token)
    switch admission {
    case .admitted(let meeting, let attendee):
      if request.participant.isContent, !attendee.capabilities.content.canSend {
        throw Status(
          .permissionDenied, "This attendee may not share content.",
          session: .audioAuthenticationRejected)
      }
      return (meeting, attendee)
    case .meetingEnded:
      throw Status(
        .failedPrecondition, "The meeting has ended.", session: .audioCallEnded,
        reason: .meetingExpired)
    case .refused:
      throw SessionRequest.refused
    }
  }

  private func makeSession(
    _ request: SessionRequest, _ meeting: Meeting, _ attendee: Attendee, _ link: any ClientLink
  ) -> Session {
    let id = sessionID(for: request)
    let record = V1.GatewaySession(
      meetingID: meeting.id.text, participantID: request.participant.text,
      externalUserID: attendee.externalUserID.text, sessionID: id.bytes,
      capabilities: V1.Capabilities(attendee.capabilities), isMuted: request.isMuted,
      isMutedByOperator: attendee.isMutedByOperator,
      capacity: UInt32(clamping: meeting.features.maxAttendees),
      primaryMeetingID: meeting.primaryID?.text ?? "")
    return Session(
      id: id, record: record, choices: request.choices, media: request.media,
      transcripts: request.transcripts,
      meeting: meeting.id, participant: request.participant, link: link,
      requests: TokenBucket(settings.requestRate, now: thread.now), flushing: flushing,
      now: thread.now)
  }

  /// The session that the client names, unless it is somebody else's here; else a new one.
  private func sessionID(for request: SessionRequest) -> SessionID {
    guard let resumed = request.resumed else { return .random() }
    if let held = sessions[resumed],
      held.participant != request.participant || held.meeting != request.meeting
    {
      return .random()
    }
    return resumed
  }

  /// Presence may be on its way back from a restart: asked again until it answers or the time is up.
  private func join(_ session: Session, _ opening: SessionRequest) async throws -> V1.JoinReply {
    let deadline = thread.now + settings.joinPatience
    while true {
      let status: Status
      do throws(Status) {
        guard let owner = presence.owner(of: session.meeting) else { throw Self.presenceIsAway }
        presence.follow(session.meeting)
        let request = V1.JoinRequest(
          session: session.record, gateway: settings.instance, isResume: opening.resumed != nil,
          gatewayRun: run)
        let options = CallOptions(
          timeout: .seconds(2), term: owner.term, traceparent: opening.traceparent)
        let reply = try await owner.client.join(request, options: options)
        owner.learn(reply.term)
        return reply
      } catch {
        status = error
      }
      guard status.isWorthRepeating, thread.now < deadline else { throw status }
      try await Task.sleep(for: .milliseconds(100))  // Presence is restarting; nothing to await on.
    }
  }

  /// The session is in the roster: it gets its first items, and from here on every event.
  ///
  /// - Parameters:
  ///   - missed: The messages that the client has not; `nil` while messaging does not answer.
  ///   - board: The tile board; `nil` while video-tiles does not answer.
  private func begin(
    _ session: Session, _ reply: V1.JoinReply, _ missed: MissedMessages?,
    _ board: V1.JoinTilesReply?, resuming request: SessionRequest, at route: Route
  ) async throws {
    var events: [V1.PackedEvent]?
    if request.resumed != nil, let position = request.position(in: .roster) {
      events = await replay(session.meeting, after: position)
    }
    try Task.checkCancellation()
    if let older = sessions[session.id] { _ = remove(older) }
    let isResumed = reply.wasPresent && request.resumed != nil
    let isIncomplete = missed.map { !$0.isComplete } ?? false
    session.queue(
      started(
        session, isResumed: isResumed, isRecovered: events != nil,
        incomplete: isIncomplete ? [.messages] : []))
    enterRoster(session, reply.roster ?? V1.RosterSnapshot(), events, request.position(in: .roster))
    session.lastHeard = thread.now  // The client was silent because it waited for this.
    sessions.insert(session, at: route)
    enterMessages(session, missed, request.position(in: .messages))
    enterTranscripts(session, after: request.position(in: .transcripts))
    beginTiles(session, board, isResume: request.resumed != nil)
    admitToMedia(session)
  }

  /// Gives the client the events it missed, or the whole roster.
  private func enterRoster(
    _ session: Session, _ roster: V1.RosterSnapshot, _ missed: [V1.PackedEvent]?,
    _ position: V1.StreamPosition?
  ) {
    let hub = rosterHub(for: session.meeting)
    if let missed, let position {
      session.cursors[.roster] = StreamCursor(epoch: position.epoch, sequence: position.sequence)
      for event in missed { hub.events.give(event, to: session) }
    } else {
      session.cursors[.roster] = StreamCursor(epoch: roster.epoch, sequence: roster.sequence)
      session.queue(SharedItem(RosterHub.events(of: roster)))
    }
    hub.events.add(session)
    if hub.follower.cursor == nil {
      hub.follower.reset(epoch: roster.epoch, sequence: roster.sequence, tick: roster.tick)
    }
    hub.events.catchUp(session)
  }

  private func replay(
    _ meeting: MeetingID, after position: V1.StreamPosition
  ) async -> [V1.PackedEvent]? {
    guard let owner = presence.owner(of: meeting) else { return nil }
    let request = V1.ReplayRequest(
      meetingID: meeting.text, epoch: position.epoch, afterSequence: position.sequence)
    let options = CallOptions(timeout: .seconds(2), term: owner.term)
    guard let reply = try? await owner.client.replay(request, options: options),
      case .events(let events) = reply.outcome
    else { return nil }
    return events.events
  }

  private func started(
    _ session: Session, isResumed: Bool, isRecovered: Bool, incomplete: [MeetingStream]
  ) -> SharedItem {
    let record = session.record
    let event = V1.SessionStarted(
      sessionID: session.id.bytes, isResumed: isResumed, isRecovered: isRecovered,
      keepAliveMs: UInt32(settings.keepAlive / .milliseconds(1)), limits: limits,
      capabilities: record.capabilities, meetingID: record.meetingID,
      attendee: V1.AttendeeInfo(
        attendeeID: record.participantID, externalUserID: record.externalUserID),
      gateway: settings.instance, serverTimeMs: WallClock.nowMilliseconds,
      primaryMeetingID: record.primaryMeetingID, incompleteStreams: incomplete.map(\.name))
    return SharedItem(V1.SessionEvents(events: [V1.SessionEvent(event: .sessionStarted(event))]))
  }

  // MARK: Endings

  /// Contact is lost or cut: the client may resume, presence waits for it.
  func detach(_ session: Session, because status: Status?) {
    guard remove(session) else { return }
    if let status { session.link.end(V1.Status(status)) }
    detachFromBoard(session)
    releaseFromMediaLater(session)
    tellDetached(session.id, in: session.meeting, lastHeard: session.lastHeard)
  }

  /// Tells presence, again while it does not answer, unless the session has come back meanwhile.
  private func tellDetached(
    _ id: SessionID, in meeting: MeetingID, lastHeard: ContinuousClock.Instant,
    attempts: Int = GatewayService.mostTellings
  ) {
    guard sessions[id] == nil, joining[id] == nil, attempts > 0,
      let owner = presence.owner(of: meeting)
    else { return }
    let silent = thread.now - lastHeard
    let request = V1.DetachRequest(
      meetingID: meeting.text, sessionID: id.bytes,
      silentMs: UInt32(clamping: Int(silent / .milliseconds(1))))
    owner.client.detach(request) { [unowned self] result in
      guard case .failure(let status) = result, status.code != .notFound else { return }
      assumeIsolated { gateway in
        _ = gateway.thread.schedule(after: Self.pauseOfTelling) { [weak gateway] in
          gateway?.assumeIsolated {
            $0.tellDetached(id, in: meeting, lastHeard: lastHeard, attempts: attempts - 1)
          }
        }
      }
    }
  }

  /// Who ended a session for good, and so who is told.
  enum Ending {
    /// The client, or this gateway for it.
    case byClient
    /// Presence: it knows.
    case byPresence
    /// Its meeting is over, and everything of it.
    case withMeeting
  }

  /// The session is over for good.
  func end(_ session: Session, _ status: Status?, _ ending: Ending) {
    guard remove(session) else { return }
    session.link.end(status.map { V1.Status($0) })
    switch ending {
    case .withMeeting: return
    case .byPresence: break
    case .byClient:
      insist(
        on: .leave(V1.LeaveRequest(meetingID: session.meeting.text, sessionID: session.id.bytes)),
        in: session.meeting)
    }
    forgetReader(session)
    forgetTranscripts(of: session)
    leaveBoard(session)
    releaseFromMedia(session)
  }

  /// The session will not be resumed: its place in the messages need not be kept.
  private func forgetReader(_ session: Session) {
    guard let meeting = session.messagesMeeting else { return }
    insist(
      on: .forgetReader(V1.LeaveRequest(meetingID: meeting.text, sessionID: session.id.bytes)),
      in: meeting)
  }

  /// What a service must hear.
  enum Notice {
    case leave(V1.LeaveRequest)
    case forgetReader(V1.LeaveRequest)
    case endMessages(V1.EndMeetingRequest)
    case leaveBoard(V1.LeaveRequest)
    case endBoard(V1.EndMeetingRequest)
    case boardCapabilities(V1.SetCapabilitiesRequest)
    case releaseMedia(V1.ReleaseRequest)
    case endMedia(V1.EndMeetingRequest)
    case leaveTranscripts(V1.LeaveRequest)
    case endTranscription(V1.EndMeetingRequest)
  }

  /// Tells the service of a meeting, again while it does not answer: nobody must stay for ever.
  func insist(on notice: Notice, in meeting: MeetingID, attempts: Int = mostTellings) {
    let answered: (Status?) -> Void = { [unowned self] status in
      guard let status, status.code != .notFound, attempts > 1 else { return }
      assumeIsolated { gateway in
        _ = gateway.thread.schedule(after: Self.pauseOfTelling) { [weak gateway] in
          gateway?.assumeIsolated { $0.insist(on: notice, in: meeting, attempts: attempts - 1) }
        }
      }
    }
    switch notice {
    case .leave(let request):
      presence.owner(of: meeting)?.client.leave(request) { answered($0.status) }
    case .forgetReader(let request):
      messaging.owner(of: meeting)?.client.leave(request) { answered($0.status) }
    case .endMessages(let request):
      messaging.owner(of: meeting)?.client.endMeeting(request) { answered($0.status) }
    case .leaveBoard(let request):
      tiles.owner(of: meeting)?.client.leave(request) { answered($0.status) }
    case .endBoard(let request):
      tiles.owner(of: meeting)?.client.endMeeting(request) { answered($0.status) }
    case .boardCapabilities(let request):
      tiles.owner(of: meeting)?.client.setCapabilities(request) { answered($0.status) }
    case .releaseMedia(let request):
      media.owner(of: meeting)?.client.release(request) { answered($0.status) }
    case .endMedia(let request):
      media.owner(of: meeting)?.client.endMeeting(request) { answered($0.status) }
    case .leaveTranscripts(let request):
      transcription.owner(of: meeting)?.client.leave(request) { answered($0.status) }
    case .endTranscription(let request):
      transcription.owner(of: meeting)?.client.endMeeting(request) { answered($0.status) }
    }
  }

  /// How often, and after which pause, presence is told again what it did not answer.
  static let mostTellings = 20
  private static let pauseOfTelling = Duration.milliseconds(500)

  private func remove(_ session: Session) -> Bool {
    guard sessions[session.id] === session else { return false }
    sessions.remove(session.id)
    session.fetching?.cancel()
    session.boarding?.cancel()
    session.admitting?.cancel()
    session.reading?.cancel()
    rosters[session.meeting]?.events.remove(session.id)
    session.messagesMeeting.flatMap { messages[$0] }?.remove(session.id)
    session.messagesMeeting.flatMap { transcripts[$0] }?.remove(session.id)
    boards[session.boardMeeting]?.remove(session.id)
    forgetUnused(session)
    return true
  }

  /// Follows no stream of the session's meeting that nobody here needs.
  private func forgetUnused(_ session: Session) {
    if let hub = rosters[session.meeting] { forgetIfUnused(hub) }
    if let hub = session.messagesMeeting.flatMap({ messages[$0] }) { forgetIfUnused(hub) }
    if let hub = session.messagesMeeting.flatMap({ transcripts[$0] }) {
      forgetIfUnusedTranscripts(hub)
    }
    if let hub = boards[session.boardMeeting], hub.isUnused {
      boards[session.boardMeeting] = nil
      tiles.unfollow(session.boardMeeting)
      media.unfollow(session.boardMeeting)
    }
  }
}

extension Status {
  /// Whether an owner that is restarting, or has restarted, may answer the next call.
  var isWorthRepeating: Bool {
    code == .unavailable || code == .aborted || code == .deadlineExceeded
  }
}

extension Result where Failure == Status {
  /// What went wrong, if anything did.
  fileprivate var status: Status? {
    if case .failure(let status) = self { status } else { nil }
  }
}
