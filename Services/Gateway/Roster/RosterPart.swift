import Bus
import MeetingModel
import ServiceHost
import Wire

/// Presence's part of the gateway: sessions are in the roster of their meeting, and hear who else
/// is.
final class RosterPart {
  private(set) lazy var follower = OwnerFollower(self, in: context)
  let context: GatewayContext

  /// The rosters that those get who come.
  private(set) lazy var shared = SharedRosters(of: self)

  /// Volumes and signals as last heard, for clients that were too slow to be told each.
  private(set) var levels: [MeetingID: LevelBoard] = [:]

  /// The instances that are announced to once what they send has come.
  private var aboutToBeTold: Set<String> = []

  init(in context: GatewayContext) { self.context = context }

  static let away = Status(
    .unavailable, "The presence service does not answer; try again.",
    session: .audioServiceUnavailable)

  // MARK: Levels

  /// A slow client has read on: it gets the levels it was spared.
  func refreshLevels(of session: Session) {
    guard session.owesLevels, !session.link.isCongested,
      let cursor = follower.knownHub(of: session.sourceMeeting)?.follower.cursor,
      let board = levels[session.sourceMeeting]
    else { return }
    session.owesLevels = false
    session.queue(.levelsChanged(board.all(epoch: cursor.epoch)))
  }

  private func deliverLevels(_ body: [UInt8], to hub: StreamHub) {
    let item = SharedItem(body)
    if let events = try? V1.SessionEvents(packed: body) {
      levels[hub.meeting, default: LevelBoard()].update(with: events)
    }
    for session in hub.sessions where session.cursors[.roster] != nil {
      if session.link.isCongested {
        session.owesLevels = true
        context.metrics.levelsSpared.increment()
      } else {
        session.queue(item)
      }
    }
  }

  // MARK: Endings

  /// Ends the sessions that an event ends, now that its body was delivered.
  private func endSessions(after header: V1.EventHeader, in hub: StreamHub) {
    for ended in header.ended {
      guard let id = SessionID(bytes: ended.sessionID) else { continue }
      let status = ended.status.flatMap { Status($0) }
      // Also one that is on its way: its end may come before the answer to its join.
      for session in context.sessions.all(of: id) {
        if session.meeting == hub.meeting {
          context.end(session, status, .byPresence)
        } else if let status {
          context.endPromotion(session, status)
        }
      }
    }
    guard let status = header.meetingEnded.flatMap({ Status($0) }) else { return }
    context.meetingEnded(hub.meeting, status)
    for session in context.sessions.all + context.sessions.opening {
      if session.meeting == hub.meeting {
        context.end(session, status, .withMeeting)
      } else if session.sourceMeeting == hub.meeting {
        context.endPromotion(session, status)
      }
    }
  }

  /// What a replica's stream says to one attendee: what it may do, and whether an operator has
  /// muted it. Its client follows the primary's stream, so it gets this without a position.
  private func tellMember(_ header: V1.EventHeader, _ body: [UInt8], of hub: StreamHub) {
    guard let events = try? V1.SessionEvents(packed: body) else { return }
    for session in context.sessions.all
    where session.isReplica && session.meeting == hub.meeting
      && header.onlyFor.contains(session.record.participantID)
    {
      session.queue(SharedItem(V1.SessionEvents(events: events.events)))
    }
  }

  // MARK: Snapshots

  /// A snapshot replaces what clients have: the numbering is another one, or too much was missed.
  private func install(_ snapshot: V1.RosterSnapshot, in hub: StreamHub) {
    levels[hub.meeting, default: LevelBoard()].replace(with: snapshot)
    let item = SharedItem(snapshot.asItem)
    for session in hub.sessions where session.cursors[.roster] != nil {
      session.cursors[.roster] = snapshot.cursor
      session.queue(item)
    }
    // Events that are not kept any more may have ended sessions here, also in a new numbering:
    // presence says which.
    announceSoon(toOwnerOf: hub.meeting)
  }

  /// Has an instance told once, however many of its meetings want that.
  private func announceSoon(toOwnerOf meeting: MeetingID) {
    guard let instance = follower.owner(of: meeting)?.instance,
      aboutToBeTold.insert(instance).inserted
    else { return }
    context.after(Self.announcementDelay) { [weak self] in
      guard let self else { return }
      aboutToBeTold.remove(instance)
      context.announce(Self.id, instance)
    }
  }

  /// Longer than the snapshots of many meetings take to come.
  private static let announcementDelay = Duration.milliseconds(200)
}

// MARK: - Following presence

extension RosterPart: FollowedService {
  static let id = ServiceID(name: "presence")

  static var stream: MeetingStream? { .roster }

  static func topic(of meeting: MeetingID) -> Topic { .roster(of: meeting) }

  static func client(over channel: RequestChannel) -> PresenceClient { PresenceClient(channel) }

  func askLimits(_ client: PresenceClient, then: @escaping (Result<V1.Limits, Status>) -> Void) {
    client.getLimits(V1.GetLimitsRequest(), then: then)
  }

  func sayAlive(
    _ client: PresenceClient, _ request: V1.GatewayAliveRequest,
    then: @escaping (Result<V1.GatewayAliveReply, Status>) -> Void
  ) { client.gatewayAlive(request, options: .alive, then: then) }

  func askMissed(
    of meeting: MeetingID, after cursor: StreamCursor, _ client: PresenceClient,
    then: @escaping (Result<CatchUp, Status>) -> Void
  ) {
    let request = V1.ReplayRequest(meeting, after: cursor)
    client.replay(request, options: .replay) { [unowned self] result in
      then(
        result.flatMap { reply in
          switch reply.outcome {
          case .events(let events): .success(.events(events.events))
          case .snapshot(let snapshot):
            .success(
              .snapshot(at: snapshot.cursor, tick: snapshot.tick) {
                [unowned self] hub in install(snapshot, in: hub)
              })
          case nil: .failure(.emptyAnswer)
          }
        })
    }
  }

  /// Presence does not know a meeting that has sessions here: they are announced again.
  func ownerForgot(_ meeting: MeetingID) { follower.announce(toOwnerOf: meeting) }

  func prepare(_ hub: StreamHub) {
    hub.onVolatile = { [unowned self, unowned hub] _, body in deliverLevels(body, to: hub) }
    hub.onDelivered = { [unowned self, unowned hub] header, body in
      if !header.onlyFor.isEmpty { tellMember(header, body, of: hub) }
      // Most events end nothing.
      guard !header.ended.isEmpty || header.meetingEnded != nil else { return }
      endSessions(after: header, in: hub)
    }
  }

  func forget(_ meeting: MeetingID) {
    levels[meeting] = nil
    shared.forget(meeting)
  }
}

// MARK: - Sessions

extension RosterPart: ServicePart {
  var following: any OwnerFollowing { follower }

  func need(of session: Session) -> SessionLedger.Need? {
    SessionLedger.Need(
      service: Self.id, step: .roster, timeout: context.settings.joinTimeout, isEssential: true)
  }

  /// An audience sees its primary's roster.
  func meeting(heardBy session: Session) -> MeetingID? { session.sourceMeeting }

  /// A replica's own stream ends its sessions, and shows nobody.
  func meeting(endingUnseen session: Session) -> MeetingID? {
    session.isReplica ? session.meeting : nil
  }

  func takeIn(_ session: Session) async throws(Status) -> Delivery {
    let owner = try follower.reachableOwner(of: session.meeting)
    guard let request = session.opening?.request else {
      session.lose(.roster)  // What comes meanwhile is part of the snapshot, or kept here.
      return try await roster(for: session)
    }
    let join = V1.JoinRequest(
      session: session.record, gateway: context.settings.instance,
      isResume: request.resumed != nil, gatewayRun: context.run, wantsPositionOnly: true)
    let options = CallOptions(
      timeout: .seconds(2), term: owner.term, traceparent: request.traceparent)
    let reply = try await owner.client.join(join, options: options)
    owner.learn(reply.term)
    guard let position = reply.roster else { throw Self.away }
    session.opening?.wasPresent = reply.wasPresent
    beginStream(of: session.meeting, at: position)
    if session.isReplica { leavePrimary(session) }
    if request.resumed != nil, let position = request.positions[.roster],
      let missed = await missed(since: position, in: session.sourceMeeting)
    {
      session.opening?.isRecovered = true
      return Delivery { [unowned self] in give(missed, since: position, to: session) }
    }
    return try await roster(for: session, reaching: session.isReplica ? nil : position.cursor)
  }

  /// What follows a session's join counts from now on: it may be the session's end, and have come
  /// already.
  private func beginStream(of meeting: MeetingID, at position: V1.RosterSnapshot) {
    // Not followed any more if the session was given up meanwhile.
    guard let hub = follower.knownHub(of: meeting), hub.follower.cursor == nil else { return }
    hub.follower.reset(epoch: position.epoch, sequence: position.sequence, tick: position.tick)
  }

  /// The session is in its replica; what it was promoted to before, it is not any more.
  private func leavePrimary(_ session: Session) {
    if session.opening?.request.resumed != nil {
      demote(session, as: .connectionLost, isAnyGateways: true)
    }
  }

  private func roster(
    for session: Session, reaching position: StreamCursor? = nil
  ) async throws(Status) -> Delivery {
    let roster = try await shared.roster(of: session.sourceMeeting, reaching: position)
    return Delivery { [unowned self] in shared.give(roster, to: session) }
  }

  /// - Returns: `nil` where a snapshot must serve.
  private func missed(
    since position: StreamCursor, in meeting: MeetingID
  ) async -> [V1.PackedEvent]? {
    guard let owner = follower.owner(of: meeting) else { return nil }
    let request = V1.ReplayRequest(meeting, after: position)
    let options = CallOptions(timeout: .seconds(2), term: owner.term)
    guard let reply = try? await owner.client.replay(request, options: options),
      case .events(let events) = reply.outcome
    else { return nil }
    return events.events
  }

  private func give(
    _ missed: [V1.PackedEvent], since position: StreamCursor, to session: Session
  ) {
    let hub = follower.hub(of: session.sourceMeeting)
    session.cursors[.roster] = position
    for event in missed { hub.give(event, to: session) }
    if let cursor = session.cursors[.roster] { hub.place(session, at: cursor) }
  }

  /// Presence is told until it answers, unless the session has come back meanwhile.
  func detach(_ session: Session) {
    let (id, meeting, lastHeard) = (session.id, session.meeting, session.lastHeard)
    follower.notices.add(
      .session(id, in: meeting),
      while: { [unowned context] in !context.sessions.isPresent(id) }
    ) { [unowned context] client, options, then in
      let silent = context.now - lastHeard
      let request = V1.DetachRequest(
        meetingID: meeting.text, sessionID: id.bytes,
        silentMs: UInt32(clamping: Int(silent / .milliseconds(1))),
        gateway: context.settings.instance)
      client.detach(request, options: options) { then($0.failure) }
    }
  }

  /// Presence is told by ``awaitEnd(_:_:)``: the operator hears whether it was.
  func endMeeting(_ request: V1.EndMeetingRequest, _ id: MeetingID) {}

  func release(_ session: Session, _ ending: SessionEnding) {
    switch ending {
    case .byPresence, .withMeeting: return
    case .cutOff: return detach(session)
    case .byClient: break
    }
    let request = V1.LeaveRequest(
      meetingID: session.meeting.text, sessionID: session.id.bytes)
    follower.notices.add(.session(session.id, in: session.meeting)) { client, options, then in
      client.leave(request, options: options) { then($0.failure) }
    }
  }
}

extension V1.RosterSnapshot {
  var cursor: StreamCursor { StreamCursor(epoch: epoch, sequence: sequence) }

  /// What a client is told when it gets a whole roster.
  var asItem: V1.SessionEvents {
    V1.SessionEvents(
      events: [V1.SessionEvent(event: .rosterSnapshot(self))],
      positions: [MeetingStream.roster.position(at: cursor)])
  }
}
