import Bus
import Logging
import MeetingModel
import ServiceHost
import Wire

/// The gateway's client of the service `video-tiles`: adds sessions to the tile board of their
/// meeting, and sends these sessions the decisions of `video-tiles`.
///
/// The connector keeps the sessions' choices, and announces these choices to `video-tiles` again in
/// each new term.
final class TilesServiceConnector {
  private(set) lazy var follower = OwnerFollower(self, in: context)
  let context: GatewayContext

  init(in context: GatewayContext) { self.context = context }

  static let away = Status(
    .unavailable, "The video-tiles service does not answer; try again.",
    session: .videoServiceUnavailable)

  /// Changes an attendee's capabilities.
  func setCapabilities(
    _ request: V1.SetCapabilitiesRequest, of id: AttendeeID, in meeting: MeetingID
  ) {
    follower.notices.add(.attendee(id, in: meeting)) { client, options, then in
      client.setCapabilities(request, options: options) { then($0.failure) }
    }
  }
}

// MARK: - Following video-tiles

extension TilesServiceConnector: OwnerFollowerAdapter {
  static let id = ServiceID(name: "video-tiles")

  static var stream: MeetingStream? { .tiles }

  static func topic(of meeting: MeetingID) -> EventTopic { .tiles(of: meeting) }

  static func client(over channel: RequestChannel) -> VideoTilesClient { VideoTilesClient(channel) }

  func askLimits(
    _ client: VideoTilesClient, in term: UInt64, then: @escaping (Result<V1.Limits, Status>) -> Void
  ) { client.getLimits(V1.GetLimitsRequest(), options: CallOptions(term: term), then: then) }

  func sayAlive(
    _ client: VideoTilesClient, _ request: V1.GatewayAliveRequest,
    then: @escaping (Result<V1.GatewayAliveReply, Status>) -> Void
  ) { client.gatewayAlive(request, options: .alive, then: then) }

  func askMissed(
    of meeting: MeetingID, after cursor: StreamCursor, _ client: VideoTilesClient,
    then: @escaping (Result<MissedEventsReply, Status>) -> Void
  ) {
    let request = V1.ReplayRequest(meeting, after: cursor)
    client.replay(request, options: .replay) { [unowned self] result in
      then(
        result.flatMap { reply in
          switch reply.outcome {
          case .events(let events): .success(.events(events.events))
          case .snapshot(let board):
            .success(
              .snapshot(at: board.cursor) { [unowned self] hub in
                for session in hub.sessions where session.cursors[.tiles] != nil {
                  show(board, to: session)
                }
              })
          case nil: .failure(.emptyAnswer)
          }
        })
    }
  }

  func ownerForgot(_ meeting: MeetingID) { follower.announce(toOwnerOf: meeting) }

  /// Announces this gateway's sessions, with the choices of each session, to an instance, in parts.
  func announce(to link: ServiceLink<VideoTilesClient>) async throws(Status) {
    _ = try? await context.decisions.refresh()  // If the store fails, the old decisions apply.
    let membership = follower.membership
    var rest = context.sessions.all
      .filter { follower.owner(of: $0.sourceMeeting) === link }
      .map(\.number)[...]
    // The announcement does not list opening sessions, so each opening session joins again.
    for session in context.sessions.opening where follower.owner(of: session.sourceMeeting) === link
    {
      context.coordinator.sessionLacks(session.number, Self.id)
    }
    repeat {
      // `takePart(of:)` reads the sessions only now, so this part also contains choices that
      // clients made while the gateway sent an earlier part.
      let sessions = takePart(of: &rest)
      follower.willAnnounce(to: link)
      let reply = try await link.client.announce(
        V1.AnnounceTilesRequest(
          gateway: context.settings.instance, sessions: sessions, last: rest.isEmpty,
          gatewayRun: context.run, membership: membership),
        options: CallOptions())
      for sources in reply.sessions { learn(sources) }
      for refusal in reply.refused { context.note(refusal, by: Self.id) }
    } while !rest.isEmpty
  }

  /// Removes and returns the next sessions that fit into one announcement.
  ///
  /// The choices of one session may have a size of 60 KiB.
  private func takePart(of rest: inout ArraySlice<SessionNumber>) -> [V1.TileSession] {
    var (part, bytes): ([V1.TileSession], Int) = ([], 0)
    while part.count < Self.sessionsPerAnnouncement, bytes < Self.bytesPerAnnouncement,
      let number = rest.popFirst()
    {
      guard let session = context.sessions[number]?.tileSession else { continue }
      part.append(session)
      bytes += session.packed().count
    }
    return part
  }

  private static let sessionsPerAnnouncement = 100

  /// The maximum size of an announcement: a quarter of the largest request that a service accepts.
  private static let bytesPerAnnouncement = 1 << 20

  /// Records the sources that `video-tiles` has accepted for a session. `video-tiles` may have
  /// accepted fewer sources than announced, or may have assigned other ids.
  ///
  /// The tile board reports these sources to the client, and the gateway announces them to
  /// `video-tiles` again in the next term.
  private func learn(_ sources: V1.SessionSources) {
    guard let id = SessionID(bytes: sources.sessionID), let session = context.sessions[id] else {
      return
    }
    let declared = Set(session.choices.published.map(\.kind))
    // The gateway does not restore sources that the client has withdrawn since the announcement.
    session.choices.published = sources.published.filter { declared.contains($0.kind) }
  }
}

// MARK: - Sessions

extension TilesServiceConnector: ServiceConnector {
  var following: any OwnerFollowing { follower }

  /// Returns the session's need for `video-tiles`. This service admits the session before the
  /// roster shows the session.
  ///
  /// A content share cannot begin without `video-tiles`. All other sessions begin even if
  /// `video-tiles` does not answer.
  func need(of session: GatewayClientSession) -> SessionAdmissionTracker.Need? {
    let isContent = session.participant.isContent
    return SessionAdmissionTracker.Need(
      service: Self.id, step: .beforeRoster,
      timeout: isContent ? context.settings.joinTimeout : .seconds(1), isEssential: isContent)
  }

  func meeting(heardBy session: GatewayClientSession) -> MeetingID? { session.sourceMeeting }

  func takeIn(_ session: GatewayClientSession) async throws(Status) -> InitialDelivery {
    session.lose(.tiles)
    let owner = try follower.reachableOwner(of: session.sourceMeeting)
    // A session that was on the tile board, or that resumes, keeps its state on the board.
    let isResume = session.opening.map { $0.request.resumed != nil } ?? true
    let publisher = session.actorID
    let request = V1.JoinTilesRequest(
      session: session.tileSession, gateway: context.settings.instance, isResume: isResume,
      gatewayRun: context.run)
    let reply = try await owner.client.join(
      request,
      options: CallOptions(
        timeout: .seconds(1), term: owner.term, traceparent: session.trace.text))
    owner.learn(reply.term)
    guard let board = reply.board else { throw .emptyAnswer }
    return InitialDelivery { [unowned self] in
      // The source has ended if the session no longer acts as the attendee who published the
      // source.
      if session.actorID == publisher { session.choices.published = reply.published }
      show(board, to: session)
      follower.hub(of: session.sourceMeeting).place(session, at: board.cursor)
    }
  }

  /// Sends the board to a client. The board that the client receives contains the state of this
  /// client, but of no other receiver.
  private func show(_ board: V1.TileBoardSnapshot, to session: GatewayClientSession) {
    var own = board
    own.receivers = board.receivers.filter { $0.sessionID == session.id.bytes }.map { receiver in
      var receiver = receiver
      receiver.sessionID = []
      return receiver
    }
    session.cursors[.tiles] = board.cursor
    session.queue(
      PackedSessionEvents(
        V1.SessionEvents(
          events: [V1.SessionEvent(event: .tileBoardSnapshot(own))],
          positions: [MeetingStream.tiles.position(at: board.cursor)])))
  }

  /// Reports to `video-tiles` that a client has lost its connection.
  ///
  /// The client's sources remain for some seconds.
  func detach(_ session: GatewayClientSession) {
    let (id, meeting, lastHeard) = (session.id, session.sourceMeeting, session.lastHeard)
    let trace = session.trace
    follower.notices.add(
      .session(id, in: meeting), while: { [unowned context] in !context.sessions.isPresent(id) }
    ) { [unowned context] client, options, then in
      let silent = context.now - lastHeard
      let request = V1.DetachRequest(
        meetingID: meeting.text, sessionID: id.bytes,
        silentMs: UInt32(clamping: Int(silent / .milliseconds(1))),
        gateway: context.settings.instance)
      client.detach(request, options: options.traced(by: trace)) { then($0.failure) }
    }
  }

  func release(_ session: GatewayClientSession, _ ending: SessionEndInitiator) {
    let request = V1.LeaveRequest(
      meetingID: session.sourceMeeting.text, sessionID: session.id.bytes)
    let trace = session.trace
    follower.notices.add(.session(session.id, in: session.sourceMeeting)) { client, options, then in
      client.leave(request, options: options.traced(by: trace)) { then($0.failure) }
    }
  }

  /// Notifies `video-tiles` that a meeting has ended. `video-tiles` then removes the board of this
  /// meeting.
  func endMeeting(_ request: V1.EndMeetingRequest, _ id: MeetingID) {
    follower.notices.add(.meeting(id)) { client, options, then in
      client.endMeeting(request, options: options) { then($0.failure) }
    }
  }
}

extension V1.TileBoardSnapshot {
  fileprivate var cursor: StreamCursor { StreamCursor(epoch: epoch, sequence: sequence) }
}

extension GatewayClientSession {
  /// The session in the form that `video-tiles` receives.
  var tileSession: V1.TileSession {
    V1.TileSession(
      meetingID: sourceMeeting.text, participantID: record.participantID,
      externalUserID: record.externalUserID, sessionID: id.bytes,
      capabilities: actor.capabilities, replicaMeetingID: isReplica ? meeting.text : "",
      choices: choices, promotedAs: promotion.record?.attendee, openedAtMs: record.openedAtMs,
      promotedAtMs: promotion.record?.openedAtMs ?? 0, displayName: record.displayName)
  }
}
