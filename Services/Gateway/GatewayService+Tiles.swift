import Bus
import Logging
import MeetingModel
import ServiceHost
import Wire
import ZeroMQ

// The tile board of a meeting: clients are put on it, and hear what video-tiles decides for them. What
// they choose is kept here and told to each new term.
extension GatewayService {
  func tilesHandlers() -> ServiceLink<VideoTilesClient>.Handlers {
    .init(
      onEvent: { [unowned self] event in assumeIsolated { $0.routeTiles(event) } },
      onPositions: { [unowned self] positions in
        assumeIsolated { gateway in
          for position in positions {
            guard let id = try? MeetingID(position.meetingID) else { continue }
            gateway.boards[id]?.follower.observe(position)
          }
        }
      },
      onNewTerm: { [unowned self] instance in
        assumeIsolated { gateway in
          gateway.announceTiles(to: instance)
          gateway.learnTileLimits(from: instance)
        }
      },
      onSilence: { [unowned self] in assumeIsolated { $0.catchUpBoards() } },
      onMalformed: { [metrics] in metrics.malformedEvents.increment() })
  }

  private func routeTiles(_ event: ReceivedEvent) {
    guard let id = try? MeetingID(event.header.meetingID) else { return }
    boards[id]?.follower.arrive(event.header, event.body)
  }

  private func catchUpBoards() {
    for hub in boards.values { hub.follower.catchUp() }
  }

  private func learnTileLimits(from instance: String) {
    tiles[instance]?.client.getLimits(V1.GetLimitsRequest()) { [unowned self] result in
      guard case .success(let limits) = result else { return }
      assumeIsolated { $0.serviceLimits["video-tiles"] = limits }
    }
  }

  func tellTilesWeLive() {
    let request = V1.GatewayAliveRequest(gateway: settings.instance, gatewayRun: run)
    for link in tiles.all {
      let instance = link.instance
      link.client.gatewayAlive(request, options: CallOptions(timeout: .seconds(1))) {
        [unowned self] result in
        assumeIsolated { gateway in
          guard case .success(let reply) = result else { return }
          gateway.tiles[instance]?.learn(reply.term)
          if reply.wantsAnnouncement { gateway.announceTiles(to: instance) }
        }
      }
    }
  }

  // MARK: A meeting's board

  /// The board of a meeting, followed from now on.
  func boardHub(for meeting: MeetingID) -> StreamHub {
    if let hub = boards[meeting] { return hub }
    let hub = StreamHub(.tiles, of: meeting)
    hub.follower.onEvent = { [unowned hub] header, body in hub.deliver(header, body) }
    hub.follower.onCatchUp = { [unowned self] epoch, sequence in
      assumeIsolated { $0.catchUpBoard(of: meeting, epoch, sequence) }
    }
    hub.onGap = { [unowned self] session in
      let id = session.id
      assumeIsolated { $0.boardAnew(id) }
    }
    boards[meeting] = hub
    tiles.follow(meeting)
    media.follow(meeting)
    return hub
  }

  private func catchUpBoard(of meeting: MeetingID, _ epoch: UInt64, _ sequence: UInt64) {
    guard let owner = tiles.owner(of: meeting) else { return catchUpBoardLater(of: meeting) }
    let request = V1.ReplayRequest(meetingID: meeting.text, epoch: epoch, afterSequence: sequence)
    owner.client.replay(request, options: CallOptions(timeout: .seconds(2))) {
      [unowned self] result in
      assumeIsolated { $0.caughtUpBoard(of: meeting, result) }
    }
  }

  private func caughtUpBoard(
    of meeting: MeetingID, _ result: Result<V1.TileReplayReply, Status>
  ) {
    guard let hub = boards[meeting] else { return }
    switch result {
    case .success(let reply):
      switch reply.outcome {
      case .events(let events): hub.follower.caughtUp(with: events.events)
      case .snapshot(let board): replace(hub, with: board)
      case nil: hub.follower.catchUpFailed()
      }
    case .failure(let status) where status.code == .notFound:
      hub.follower.catchUpFailed()
      if !hub.sessions.isEmpty, let owner = tiles.owner(of: meeting) {
        announceTiles(to: owner.instance)
      }
    case .failure:
      catchUpBoardLater(of: meeting)
    }
  }

  private func catchUpBoardLater(of meeting: MeetingID) {
    boards[meeting]?.follower.catchUpFailed()
    _ = thread.schedule(after: .milliseconds(100)) { [weak self] in
      self?.assumeIsolated { $0.boards[meeting]?.follower.catchUp() }
    }
  }

  /// A snapshot replaces what clients have: each gets its own part of it.
  private func replace(_ hub: StreamHub, with board: V1.TileBoardSnapshot) {
    hub.forgetRecent()
    hub.follower.reset(epoch: board.epoch, sequence: board.sequence)
    for session in hub.sessions where session.cursors[.tiles] != nil { give(board, to: session) }
  }

  /// Gives a client the board, with its own tiles.
  private func give(_ board: V1.TileBoardSnapshot, to session: Session) {
    var own = board
    own.receivers = board.receivers.filter { $0.sessionID == session.id.bytes }.map { receiver in
      var receiver = receiver
      receiver.sessionID = []
      return receiver
    }
    session.cursors[.tiles] = StreamCursor(epoch: board.epoch, sequence: board.sequence)
    let position = V1.StreamPosition(
      stream: MeetingStream.tiles.name, epoch: board.epoch, sequence: board.sequence)
    session.queue(
      SharedItem(
        V1.SessionEvents(
          events: [V1.SessionEvent(event: .tileBoardSnapshot(own))], positions: [position])))
  }

  // MARK: A client on it

  /// Puts a session on its meeting's board before others see it in the roster.
  ///
  /// - Returns: `nil` when video-tiles does not answer in time: nobody is kept out of a meeting for
  ///   that, but for a content share, which is nothing without it.
  /// - Throws: Why a content share is refused.
  func enterBoard(
    _ session: Session, isResume: Bool
  ) async throws(Status) -> V1.JoinTilesReply? {
    let isContent = session.participant.isContent
    let deadline = thread.now + (isContent ? settings.joinPatience : Self.patienceWithTiles)
    while true {
      let status: Status
      do throws(Status) { return try await joinBoard(session, isResume: isResume) } catch {
        status = error
      }
      guard status.isWorthRepeating, thread.now < deadline else {
        if isContent { throw status }
        return nil
      }
      do { try await Task.sleep(for: .milliseconds(50)) } catch { throw status }
    }
  }

  /// Longer than a restart of video-tiles takes.
  private static let patienceWithTiles = Duration.seconds(1)

  private func joinBoard(
    _ session: Session, isResume: Bool
  ) async throws(Status) -> V1.JoinTilesReply {
    let meeting = session.boardMeeting
    guard let owner = tiles.owner(of: meeting) else { throw Self.tilesAreAway }
    let request = V1.JoinTilesRequest(
      session: session.tileSession, gateway: settings.instance, isResume: isResume,
      gatewayRun: run)
    let reply = try await owner.client.join(
      request, options: CallOptions(timeout: .seconds(1), term: owner.term))
    owner.learn(reply.term)
    return reply
  }

  /// The session begins to hear of tiles, now or as soon as video-tiles answers.
  func beginTiles(_ session: Session, _ reply: V1.JoinTilesReply?, isResume: Bool) {
    boardHub(for: session.boardMeeting).add(session)
    if let reply { begin(session, on: reply) } else { boardLater(session, isResume: isResume) }
  }

  private func begin(_ session: Session, on reply: V1.JoinTilesReply) {
    guard let board = reply.board, let hub = boards[session.boardMeeting] else { return }
    session.choices.published = reply.published
    give(board, to: session)
    if hub.follower.cursor == nil {
      hub.follower.reset(epoch: board.epoch, sequence: board.sequence)
    }
    hub.catchUp(session)
  }

  /// The client's position is not kept any more: it gets the board anew.
  private func boardAnew(_ id: SessionID) {
    guard let session = sessions[id] else { return }
    session.cursors[.tiles] = nil
    boardLater(session, isResume: true)
  }

  private func boardLater(_ session: Session, isResume: Bool) {
    let id = session.id
    session.boarding?.cancel()
    session.boarding = Task(executorPreference: thread) {
      await self.keepBoarding(id, isResume: isResume)
    }
  }

  private func keepBoarding(_ id: SessionID, isResume: Bool) async {
    defer { if !Task.isCancelled { sessions[id]?.boarding = nil } }
    while !Task.isCancelled, let session = sessions[id] {
      do throws(Status) {
        let reply = try await joinBoard(session, isResume: isResume)
        guard !Task.isCancelled, sessions[id] === session else { return }
        return begin(session, on: reply)
      } catch {
        guard error.isWorthRepeating else { return }
      }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  func leaveBoard(_ session: Session) {
    let request = V1.LeaveRequest(
      meetingID: session.boardMeeting.text, sessionID: session.id.bytes)
    insist(on: .leaveBoard(request), in: session.boardMeeting)
  }

  /// Contact is lost: its sources stay for a while. Told once; a gateway that does not list the
  /// session in its next announcement says the same.
  func detachFromBoard(_ session: Session) {
    let silent = thread.now - session.lastHeard
    let request = V1.DetachRequest(
      meetingID: session.boardMeeting.text, sessionID: session.id.bytes,
      silentMs: UInt32(clamping: Int(silent / .milliseconds(1))))
    tiles.owner(of: session.boardMeeting)?.client.detach(request) { _ in }
  }

  // MARK: A new term of video-tiles

  /// Tells an instance who is connected here and what they chose, in parts, and then asks for what was
  /// missed.
  func announceTiles(to instance: String) {
    announcingTiles[instance]?.cancel()
    announcingTiles[instance] = Task(executorPreference: thread) {
      await self.announceBoards(to: instance)
    }
  }

  private func announceBoards(to instance: String) async {
    while !Task.isCancelled {
      do throws(Status) {
        try await tellBoards(to: instance)
        return catchUpBoards()
      } catch {
        // Not there yet: the announcement is begun again.
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  private func tellBoards(to instance: String) async throws(Status) {
    try? await learnDecisions()  // What is known here goes on without the store.
    guard let link = tiles[instance] else { throw Self.tilesAreAway }
    var rest = sessions.all.filter { tiles.owner(of: $0.boardMeeting) === link }.map(\.id)[...]
    repeat {
      let part = rest.prefix(Self.boardSessionsPerAnnouncement)
      rest = rest.dropFirst(part.count)
      let reply = try await link.client.announce(
        V1.AnnounceTilesRequest(
          // As they are now: what a client chose while an earlier part was told counts.
          gateway: settings.instance, sessions: part.compactMap { sessions[$0]?.tileSession },
          last: rest.isEmpty, gatewayRun: run),
        options: CallOptions())
      for sources in reply.sessions { learn(sources) }
    } while !rest.isEmpty
  }

  /// Video-tiles may have refused what a session publishes, or given it other ids: its client hears so
  /// with the board, and the next term from here.
  private func learn(_ sources: V1.SessionSources) {
    guard let id = SessionID(bytes: sources.sessionID), let session = sessions[id] else { return }
    let declared = Set(session.choices.published.map(\.kind))
    // What the client has withdrawn meanwhile is not taken up again.
    session.choices.published = sources.published.filter { declared.contains($0.kind) }
  }

  private static let boardSessionsPerAnnouncement = 100

  static let tilesAreAway = Status(
    .unavailable, "The video-tiles service does not answer; try again.",
    session: .videoServiceUnavailable)
}
