import Bus
import MeetingModel
import ServiceHost
import Storage
import Wire

// The face of browsers: what arrives by their WebSockets. A session is the same as one by ZeroMQ;
// only its link is another one.
extension GatewayService {
  /// Takes browsers in from now on.
  func openBrowsers() {
    browsers.admit = { [unowned self] number in assumeIsolated { $0.greet(number) } }
    browsers.carryOut = { [unowned self] command, number in
      assumeIsolated { $0.carryOut(command, of: number) }
    }
    browsers.departed = { [unowned self] number, session in
      assumeIsolated { $0.depart(number, session) }
    }
    browserMailbox.onEvents { [weak self, thread] in
      Task(executorPreference: thread) { await self?.takeBrowserEvents() }
    }
    browsers.takeEvents()
  }

  /// No browser comes any more; those who are here are told to go elsewhere.
  func closeBrowsers() {
    browserMailbox.onEvents(nil)
    browsers.drain()
  }

  func takeBrowserEvents() { browsers.takeEvents() }

  /// The languages that some engine transcribes now, as pages offer them.
  func transcriptionLanguages() async -> [String] {
    let engines = (try? await transcriptionEngines()) ?? []
    var languages: [String] = []
    for language in engines.compactMap(\.capabilities).flatMap(\.languages)
    where !languages.contains(language.languageCode) {
      languages.append(language.languageCode)
    }
    return languages
  }

  // MARK: Admission

  /// A browser that may not come in is told so at once, before it asks for anything.
  private func greet(_ number: BrowserNumber) {
    start(.admitBrowser(number)) { gateway in
      guard let connection = gateway.browsers.connections[number] else { return }
      do throws(Status) {
        let request = try gateway.request(of: connection, nil)
        _ = try await request.admitted(by: gateway.store)
      } catch {
        // It has asked to join meanwhile, which is answered by itself.
        guard !Task.isCancelled else { return }
        gateway.refuse(connection, error)
      }
    }
  }

  private func refuse(_ connection: BrowserConnection, _ status: Status) {
    let handshake = connection.handshake
    keeper.note(
      status,
      refusing: SessionLabel(
        nil, of: handshake.token.participant, in: handshake.meeting, traceparent: ""))
    connection.end(V1.Status(status))
  }

  /// What a browser asks for when it joins, in the words of a Start.
  private func request(
    of connection: BrowserConnection, _ wish: BrowserWish?
  ) throws(Status) -> SessionRequest {
    let handshake = connection.handshake
    guard let meeting = handshake.meeting, let participant = handshake.token.participant else {
      throw SessionRequest.refused
    }
    var start = V1.StartRequest(
      meetingID: meeting.text, attendeeID: participant.text, joinToken: handshake.token.text,
      clientName: wish?.name ?? "", features: [TranscriptPreferences.messagesFeature])
    guard let number = wish?.audioSession, let id = handshake.token.session(numbered: number) else {
      return try SessionRequest(start, traceparent: "")
    }
    let former = formerState(of: id)
    let told = wish?.positions ?? []
    // Who was never here, and does not say that it was anywhere, begins anew.
    if former != nil || !told.isEmpty { start.sessionID = id.bytes }
    start.isMuted = former?.isMuted ?? false
    start.positions =
      told.isEmpty ? former?.positions.map { $0.position(at: $1) } ?? [] : told
    var request = try SessionRequest(start, traceparent: "")
    request.named = id
    return request
  }

  /// How far a client had come, and whether it was muted, as far as this gateway knows.
  private func formerState(
    of id: SessionID
  ) -> (positions: [MeetingStream: StreamCursor], isMuted: Bool)? {
    if let link = context.sessions[id]?.link as? BrowserConnection, let session = link.session {
      return (link.reached, session.isMutedByItself)
    }
    return browsers.memory[id].map { ($0.positions, $0.isMuted) }
  }

  private func join(_ wish: BrowserWish, _ connection: BrowserConnection) {
    connection.wish = wish
    let number = connection.number
    start(.admitBrowser(number)) { gateway in
      guard let connection = gateway.browsers.connections[number] else { return }
      await gateway.admit(connection, wish)
    }
  }

  /// Credentials first; then the session is opened.
  private func admit(_ connection: BrowserConnection, _ wish: BrowserWish) async {
    context.admissions += 1
    defer { context.admissions -= 1 }
    do throws(Status) {
      let opening = try request(of: connection, wish)
      var (meeting, attendee) = try await opening.admitted(by: store)
      let (turn, hasWaited) = try await turns.next()
      var isOpening = false
      defer { if !isOpening { turns.end(turn) } }
      if hasWaited { (meeting, attendee) = try await opening.admitted(by: store) }
      guard !Task.isCancelled, !connection.isGone, connection.talk.phase == .joining else { return }
      isOpening = true
      let source = meeting.primaryID ?? meeting.id
      browsers.enter(connection, source) { [unowned roster] in roster.levels[source] }
      connection.begin(at: opening.positions)
      // The same client on a newer connection: the older one is finished with.
      let id = opening.resumed ?? opening.named
      let older = id.flatMap { context.sessions[$0]?.link as? BrowserConnection }
      connection.session = keeper.open(opening, meeting, attendee, connection, at: nil, in: turn)
      if let older, older !== connection {
        older.session = nil
        older.close(.normal)
      }
      if let id { browsers.memory.forget(id) }
    } catch {
      guard !Task.isCancelled else { return }
      refuse(connection, error)
    }
  }

  private func depart(_ number: BrowserNumber, _ session: SessionNumber?) {
    cancel(.admitBrowser(number))
    if let session = session.flatMap({ context.sessions[$0] }) {
      keeper.detach(session, because: nil)
    }
  }

  // MARK: What a browser does in its meeting

  private func carryOut(_ command: BrowserTalk.Command, of number: BrowserNumber) {
    guard let connection = browsers.connections[number] else { return }
    switch command {
    case .join(let wish): return join(wish, connection)
    case .leave:
      cancel(.admitBrowser(number))
      if let session = connection.session { keeper.end(session, nil, .byClient) }
      return
    default: break
    }
    guard let session = connection.session else { return }
    switch command {
    case .setMuted(let isMuted): setMuted(isMuted, connection)
    case .sendMessage(let request):
      messages.send(request, of: session) { [unowned browsers] result in
        browsers.sent(request, result, to: number)
      }
    case .negotiate(let offer): negotiate(offer, connection)
    case .promote(let request): promote(request, connection)
    case .demote: demote(connection)
    case .isAlive: roster.refreshLevels(of: session)
    case .join, .leave, .send, .close: break
    }
  }

  private func demote(_ connection: BrowserConnection) {
    answer(connection) { gateway, connection, session in
      let wasPromoted = await gateway.promoter.demote(session)
      if wasPromoted { connection.showIndex(mayPublish: false) }
    }
  }

  private func setMuted(_ isMuted: Bool, _ connection: BrowserConnection) {
    answer(connection) { gateway, connection, session in
      guard isMuted != session.isMutedByItself else { return }
      do throws(Status) {
        _ = try await gateway.roster.setMuted(isMuted, of: session, traceparent: "")
      } catch {
        connection.talk.notify(.warning, error.message)
        return
      }
      await gateway.media.tell(.isMuted(isMuted), of: session.actorID, in: session.sourceMeeting)
    }
  }

  private func negotiate(_ offer: String, _ connection: BrowserConnection) {
    answer(connection) { gateway, connection, session in
      let answer: Result<String, Status>
      do throws(Status) {
        answer = .success(try await gateway.media.negotiate(offer, of: session))
      } catch {
        answer = .failure(error)
      }
      connection.talk.negotiated(answer, at: WallClock.nowMs)
    }
  }

  private func promote(
    _ request: V1.PromoteToPrimaryMeetingRequest, _ connection: BrowserConnection
  ) {
    answer(connection) { gateway, connection, session in
      do throws(Status) {
        let reply = try await gateway.promoter.promote(request, session)
        connection.talk.promoted(nil, at: WallClock.nowMs)
        gateway.browsers.run(connection)
        connection.showIndex(mayPublish: reply.camera?.isAvailable ?? false)
      } catch {
        connection.talk.promoted(error, at: WallClock.nowMs)
      }
    }
  }

  /// Does what takes time for a browser, and sends what comes of it.
  private func answer(
    _ connection: BrowserConnection,
    _ body: @escaping @Sendable (isolated GatewayService, BrowserConnection, Session) async -> Void
  ) {
    lastBrowserAnswer += 1
    let number = connection.number
    start(.answerBrowser(lastBrowserAnswer)) { gateway in
      guard let connection = gateway.browsers.connections[number],
        let session = connection.session
      else { return }
      await body(gateway, connection, session)
      gateway.browsers.run(connection)
    }
  }
}
