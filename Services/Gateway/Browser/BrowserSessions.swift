import Bus
import MeetingModel
import ServiceHost
import Storage
import Wire

/// The admission of browsers and the execution of their requests.
///
/// The only difference between a browser's session and a ZeroMQ client's session is the link. All
/// methods run on the gateway's socket thread.
final class BrowserSessions {
  private unowned let face: BrowserConnections
  private let admission: SessionAdmission
  private let calls: SessionCalls
  private let video: BrowserVideoNegotiator
  private let tasks: GatewayTasks
  private let context: GatewayContext
  private var lastAnswer: UInt64 = 0

  init(
    of face: BrowserConnections, _ admission: SessionAdmission, _ calls: SessionCalls,
    _ tasks: GatewayTasks, in context: GatewayContext
  ) {
    (self.face, self.admission, self.calls) = (face, admission, calls)
    (self.tasks, self.context) = (tasks, context)
    video = BrowserVideoNegotiator(calls, in: context)
  }

  // MARK: Admission

  /// Checks a browser's credentials when the browser connects. The gateway refuses bad credentials
  /// without waiting for JOIN.
  func greet(_ number: BrowserConnectionID) {
    tasks.start(.admitBrowser(number)) { await $0.parts.browsers.sessions.check(number) }
  }

  private func check(_ number: BrowserConnectionID) async {
    guard let connection = face.connections[number] else { return }
    do throws(Status) { try await admission.check(request(of: connection, nil)) } catch {
      // If the browser has sent JOIN during the check, the gateway has cancelled this task. The
      // gateway answers the JOIN separately.
      guard !Task.isCancelled else { return }
      refuse(connection, error)
    }
  }

  private func refuse(_ connection: BrowserConnection, _ status: Status) {
    let handshake = connection.handshake
    let client = SessionLabel(
      nil, of: handshake.token.participant, in: handshake.meeting, traceparent: "")
    admission.refuse(client, connection, with: status)
  }

  private func request(
    of connection: BrowserConnection, _ wish: BrowserJoin?
  ) throws(Status) -> SessionRequest {
    try SessionRequest(connection.handshake, wish, formerState: formerState)
  }

  /// Returns the remembered state of a session that a browser wants to resume.
  private func formerState(of id: SessionID) -> ResumeState? {
    if let link = context.sessions[id]?.link as? BrowserConnection, let session = link.session {
      return link.resumeState(of: session)
    }
    return face.memory[id]
  }

  private func join(_ wish: BrowserJoin, _ connection: BrowserConnection) {
    connection.wish = wish
    let number = connection.number
    tasks.start(.admitBrowser(number)) { await $0.parts.browsers.sessions.admit(number, wish) }
  }

  private func admit(_ number: BrowserConnectionID, _ wish: BrowserJoin) async {
    guard let connection = face.connections[number] else { return }
    do throws(Status) {
      let request = try request(of: connection, wish)
      try await open(request, connection)
    } catch {
      guard !Task.isCancelled else { return }
      refuse(connection, error)
    }
  }

  private func open(
    _ request: SessionRequest, _ connection: BrowserConnection
  ) async throws(Status) {
    let session = try await admission.admit(
      request, connection, at: nil, while: { connection.isJoining },
      willOpen: { meeting in
        prepare(connection, for: meeting, at: request.positions)
        if let id = request.resumed ?? request.named { takeOver(id, by: connection) }
      })
    if let session { connection.session = session }
  }

  private func prepare(
    _ connection: BrowserConnection, for meeting: Meeting,
    at positions: [MeetingStream: StreamCursor]
  ) {
    let source = meeting.primaryID ?? meeting.id
    face.enter(connection, source) { [unowned calls] in calls.levels(in: source) }
    connection.begin(at: positions)
  }

  /// Closes the older connection of a client that has connected again.
  private func takeOver(_ id: SessionID, by connection: BrowserConnection) {
    face.memory.forget(id)
    guard let older = context.sessions[id]?.link as? BrowserConnection, older !== connection else {
      return
    }
    older.session = nil
    older.close(.normal)
  }

  /// Detaches the session of a closed connection.
  func depart(_ number: BrowserConnectionID, _ session: SessionNumber?) {
    tasks.cancel(.admitBrowser(number))
    if let session = session.flatMap({ context.sessions[$0] }) { calls.detach(session) }
  }

  // MARK: Requests within a meeting

  /// Carries out a command that needs a session or another service.
  func carryOut(_ command: BrowserSignaling.Command, of connection: BrowserConnection) {
    guard face.connections[connection.number] === connection else { return }
    switch command {
    case .join(let wish): join(wish, connection)
    case .leave: leave(connection)
    case .setMuted(let isMuted): setMuted(isMuted, connection)
    case .repeatMuted(let isMuted):
      if isMuted || connection.session?.isMutedByHost != true { setMuted(isMuted, connection) }
    case .sendMessage(let request): send(request, connection)
    case .negotiate(let subscription): negotiate(subscription, connection)
    case .changePictures(let change):
      connection.pictures.reception.take(change, find: connection.pictures.stream)
      subscribe(connection)
    case .setPaused(let isPaused, let streamIDs):
      connection.pictures.setPaused(isPaused, streamIDs)
      subscribe(connection)
    case .promote(let request): promote(request, connection)
    case .demote: demote(connection)
    case .isAlive: if let session = connection.session { calls.keepAlive(session) }
    case .send, .close: break
    }
  }

  private func leave(_ connection: BrowserConnection) {
    tasks.cancel(.admitBrowser(connection.number))
    if let session = connection.session { calls.leave(session) }
  }

  private func send(_ request: V1.SendDataMessageRequest, _ connection: BrowserConnection) {
    guard let session = connection.session else { return }
    let number = connection.number
    calls.send(request, of: session) { [unowned face] in face.sent(request, $0, to: number) }
  }

  private func setMuted(_ isMuted: Bool, _ connection: BrowserConnection) {
    answer(connection) { sessions, connection, session in
      guard isMuted != session.isMutedByItself || session.record.isMuteUnknown else { return }
      do throws(Status) { try await sessions.calls.setMuted(isMuted, of: session) } catch {
        connection.talk.notify(.warning, error.message)
      }
    }
  }

  private func negotiate(_ subscription: BrowserSubscription, _ connection: BrowserConnection) {
    answer(connection) { sessions, connection, session in
      let answer: Result<SubscribeAnswer, Status>
      do throws(Status) {
        answer = .success(
          try await sessions.video.negotiate(
            subscription, connection.pictures, session))
      } catch {
        answer = .failure(error)
      }
      connection.talk.negotiated(answer, at: WallClock.nowMs)
      sessions.face.run(connection)
      await sessions.video.subscribe(connection.pictures, session)
    }
  }

  /// Sends a browser's subscriptions to `video-tiles` again if an earlier call failed.
  func catchUp(_ connection: BrowserConnection) {
    guard connection.pictures.isBehind else { return }
    subscribe(connection)
  }

  private func subscribe(_ connection: BrowserConnection) {
    connection.pictures.isBehind = true
    guard !connection.pictures.isSubscribing else { return }
    answer(connection) { sessions, connection, session in
      await sessions.video.subscribe(connection.pictures, session)
    }
  }

  private func promote(
    _ request: V1.PromoteToPrimaryMeetingRequest, _ connection: BrowserConnection
  ) {
    answer(connection) { sessions, connection, session in
      do throws(Status) {
        let reply = try await sessions.calls.promote(request, session)
        connection.talk.promoted(nil, at: WallClock.nowMs)
        sessions.face.run(connection)
        connection.showIndex(mayPublish: reply.camera?.isAvailable ?? false)
      } catch {
        connection.talk.promoted(error, at: WallClock.nowMs)
      }
    }
  }

  private func demote(_ connection: BrowserConnection) {
    answer(connection) { sessions, connection, session in
      let reply = await sessions.calls.demote(session)
      if reply.wasPromoted { connection.showIndex(mayPublish: false) }
    }
  }

  /// Asynchronous work for a browser that has a session.
  private typealias Answer =
    @Sendable (BrowserSessions, BrowserConnection, GatewayClientSession) async -> Void

  /// Runs `body` in a new task. Then carries out the signaling commands that `body` added.
  private func answer(_ connection: BrowserConnection, _ body: @escaping Answer) {
    guard connection.session != nil else { return }
    lastAnswer += 1
    let number = connection.number
    tasks.start(.answerBrowser(lastAnswer)) {
      await $0.parts.browsers.sessions.perform(body, for: number)
    }
  }

  private func perform(_ body: Answer, for number: BrowserConnectionID) async {
    guard let connection = face.connections[number], let session = connection.session else {
      return
    }
    await body(self, connection, session)
    face.run(connection)
  }

  /// Returns whether the instance of `media` that answered a browser's offer is reachable.
  func mediaContact(of connection: BrowserConnection) -> MediaReachability {
    guard let place = connection.pictures.place, let session = connection.session else {
      return .reachable
    }
    return calls.contact(with: place, of: session)
  }
}
