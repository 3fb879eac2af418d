import Bus
import Logging
import MeetingModel
import ServiceHost
import Storage
import Wire
import ZeroMQ

// A meeting's transcripts: clients hear them as transcription publishes them, from where they are. A
// session begins without waiting for it, and gets what runs as soon as transcription answers.
extension GatewayService {
  func transcriptionHandlers() -> ServiceLink<TranscriptionClient>.Handlers {
    .init(
      onEvent: { [unowned self] event in assumeIsolated { $0.routeTranscripts(event) } },
      onPositions: { [unowned self] positions in
        assumeIsolated { gateway in
          for position in positions {
            guard let id = try? MeetingID(position.meetingID) else { continue }
            gateway.transcripts[id]?.follower.observe(position)
          }
        }
      },
      onNewTerm: { [unowned self] instance in
        assumeIsolated { $0.announceTranscripts(to: instance) }
      },
      onSilence: { [unowned self] in assumeIsolated { $0.catchUpTranscripts() } },
      onMalformed: { [metrics] in metrics.malformedEvents.increment() })
  }

  private func routeTranscripts(_ event: ReceivedEvent) {
    guard let id = try? MeetingID(event.header.meetingID) else { return }
    transcripts[id]?.follower.arrive(event.header, event.body)
  }

  private func catchUpTranscripts() {
    for hub in transcripts.values { hub.follower.catchUp() }
  }

  // MARK: A meeting's transcripts

  /// The transcripts of a meeting, followed from now on.
  func transcriptsHub(for meeting: MeetingID) -> StreamHub {
    if let hub = transcripts[meeting] { return hub }
    let hub = StreamHub(.transcripts, of: meeting)
    let messages = TranscriptMessages()
    hub.convert = { item, session in
      session.transcripts.asMessages
        ? messages.item(for: item, nowMs: WallClock.nowMilliseconds) : item
    }
    hub.follower.onEvent = { [unowned hub] header, body in hub.deliver(header, body) }
    hub.follower.onCatchUp = { [unowned self] epoch, sequence in
      assumeIsolated { $0.catchUpTranscripts(of: meeting, epoch, sequence) }
    }
    hub.onGap = { [unowned self] session in
      let id = session.id
      assumeIsolated { $0.readAnew(id) }
    }
    transcripts[meeting] = hub
    transcription.follow(meeting)
    return hub
  }

  func forgetIfUnusedTranscripts(_ hub: StreamHub) {
    guard hub.isUnused, transcripts[hub.meeting] === hub else { return }
    transcripts[hub.meeting] = nil
    transcription.unfollow(hub.meeting)
  }

  private func catchUpTranscripts(of meeting: MeetingID, _ epoch: UInt64, _ sequence: UInt64) {
    guard let owner = transcription.owner(of: meeting) else {
      transcripts[meeting]?.follower.catchUpFailed()
      return
    }
    let request = V1.ReplayRequest(meetingID: meeting.text, epoch: epoch, afterSequence: sequence)
    owner.client.replay(request, options: Self.transcriptOptions) { [unowned self] result in
      assumeIsolated { $0.caughtUpTranscripts(of: meeting, result) }
    }
  }

  private func caughtUpTranscripts(
    of meeting: MeetingID, _ result: Result<V1.TranscriptReplayReply, Status>
  ) {
    guard let hub = transcripts[meeting] else { return }
    guard case .success(let reply) = result else {
      // It is restarting: asked again by its next beacon, or its new term.
      hub.follower.catchUpFailed()
      return
    }
    switch reply.outcome {
    case .events(let events): hub.follower.caughtUp(with: events.events)
    case .snapshot(let snapshot):
      let isContinued = hub.follower.cursor?.epoch == snapshot.epoch
      hub.forgetRecent()
      hub.follower.reset(epoch: snapshot.epoch, sequence: snapshot.sequence)
      // Each has its own part of what is being said. In the same numbering it is told what it lacks.
      for session in hub.sessions where isContinued { readAnew(session.id) }
      for session in hub.sessions where !isContinued {
        session.cursors[.transcripts] = nil
        readLater(session, after: session.transcriptPosition)
      }
    case nil: hub.follower.catchUpFailed()
    }
  }

  /// Recovery of transcription is waited for: until then it does not know what runs.
  private static let transcriptOptions = CallOptions(timeout: .seconds(20))

  // MARK: A client's part of it

  /// The session begins to get its meeting's transcripts, as soon as transcription answers.
  ///
  /// - Parameter position: How far the client had come; `nil` for one that comes anew.
  func enterTranscripts(_ session: Session, after position: V1.StreamPosition?) {
    guard let meeting = session.messagesMeeting else { return }
    transcriptsHub(for: meeting).add(session)
    readLater(session, after: position)
  }

  private func readLater(_ session: Session, after position: V1.StreamPosition?) {
    let id = session.id
    session.reading?.cancel()
    session.transcriptPosition = position
    session.reading = Task(executorPreference: thread) { await self.keepReading(id) }
  }

  /// The client's position is of another numbering, or not kept any more.
  private func readAnew(_ id: SessionID) {
    guard let session = sessions[id] else { return }
    let cursor = session.cursors[.transcripts]
    session.cursors[.transcripts] = nil
    readLater(
      session,
      after: cursor.map {
        V1.StreamPosition(
          stream: MeetingStream.transcripts.name, epoch: $0.epoch, sequence: $0.sequence)
      } ?? session.transcriptPosition)
  }

  /// Asks until transcription answers; one that is not there is asked when it comes.
  private func keepReading(_ id: SessionID) async {
    defer { if !Task.isCancelled { sessions[id]?.reading = nil } }
    while !Task.isCancelled, let session = sessions[id], let meeting = session.messagesMeeting,
      let owner = transcription.owner(of: meeting)
    {
      do throws(Status) {
        return try await read(session, of: meeting, from: owner)
      } catch {
        guard error.isWorthRepeating else {
          logger.warning(
            "Transcription does not admit a session",
            metadata: [LogKey.meeting: "\(meeting)", LogKey.status: "\(error.code)"])
          return
        }
      }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  private func read(
    _ session: Session, of meeting: MeetingID, from owner: ServiceLink<TranscriptionClient>
  ) async throws(Status) {
    let position = session.transcriptPosition
    let join = V1.JoinTranscriptsRequest(session: session.transcriptSession(in: meeting))
    let snapshot = try await owner.client.join(join, options: Self.transcriptOptions)
    var missed: [V1.PackedEvent]?
    if let position, position.epoch == snapshot.epoch {
      let replay = V1.ReplayRequest(
        meetingID: meeting.text, epoch: position.epoch, afterSequence: position.sequence)
      let reply = try await owner.client.replay(replay, options: Self.transcriptOptions)
      if case .events(let events) = reply.outcome { missed = events.events }
    }
    guard !Task.isCancelled, sessions[session.id] === session, let hub = transcripts[meeting]
    else { return }
    if hub.follower.cursor == nil {
      hub.follower.reset(epoch: snapshot.epoch, sequence: snapshot.sequence)
    }
    if let position, let missed {
      session.cursors[.transcripts] = StreamCursor(
        epoch: position.epoch, sequence: position.sequence)
      for event in missed { hub.give(event, to: session) }
    } else {
      if position != nil { tellLost(.transcripts, to: session) }
      give(snapshot, to: session, by: hub)
    }
    session.transcriptPosition = nil
    hub.catchUp(session)
  }

  /// Gives a client what runs and what is being said; while nothing ever ran, only the place.
  private func give(_ snapshot: V1.TranscriptSnapshot, to session: Session, by hub: StreamHub) {
    var own = snapshot
    own.sessions = []
    session.cursors[.transcripts] = StreamCursor(epoch: own.epoch, sequence: own.sequence)
    let position = V1.StreamPosition(
      stream: MeetingStream.transcripts.name, epoch: own.epoch, sequence: own.sequence)
    let event = V1.SessionEvent(event: .transcriptSnapshot(own))
    let isNews = own.status != nil
    let item = SharedItem(V1.SessionEvents(events: isNews ? [event] : [], positions: [position]))
    session.queue(hub.convert?(item, session) ?? item)
  }

  /// Says that events are lost to a client for good.
  private func tellLost(_ stream: MeetingStream, to session: Session) {
    let event = V1.SessionEvent(event: .eventsLost(V1.EventsLost(stream: stream.name)))
    session.queue(SharedItem(V1.SessionEvents(events: [event])))
  }

  func setTranscriptLanguages(
    _ request: V1.SetTranscriptLanguagesRequest, _ call: Call<V1.SetTranscriptLanguagesReply>
  ) {
    guard let session = sessions[call.route], let meeting = session.messagesMeeting else {
      return call.fail(Status(.failedPrecondition, "A content share reads no transcripts."))
    }
    do throws(Status) {
      try session.transcripts.choose(view: request.viewLanguage, spoken: request.spokenLanguage)
    } catch {
      return call.fail(error)
    }
    // One that is away is told with the announcement to its next term.
    guard let owner = transcription.owner(of: meeting) else {
      return call.fail(Self.transcriptionIsAway)
    }
    let change = V1.SetLanguagesRequest(session: session.transcriptSession(in: meeting))
    owner.client.setLanguages(change, options: CallOptions(timeout: .seconds(2))) { result in
      switch result {
      case .success(let reply):
        call.reply(V1.SetTranscriptLanguagesReply(isOffered: reply.isOffered))
      case .failure(let status): call.fail(status)
      }
    }
  }

  /// The session is over for good: what it chose is forgotten.
  func forgetTranscripts(of session: Session) {
    guard let meeting = session.messagesMeeting, !session.transcripts.isEmpty else { return }
    let request = V1.LeaveRequest(meetingID: meeting.text, sessionID: session.id.bytes)
    insist(on: .leaveTranscripts(request), in: meeting)
  }

  // MARK: A new term of transcription

  /// Tells an instance what runs and who reads what, and then asks for what was missed.
  func announceTranscripts(to instance: String) {
    announcingTranscripts[instance]?.cancel()
    announcingTranscripts[instance] = Task(executorPreference: thread) {
      await self.keepAnnouncingTranscripts(to: instance)
    }
  }

  private func keepAnnouncingTranscripts(to instance: String) async {
    while !Task.isCancelled {
      do throws(Status) {
        try await tellTranscripts(to: instance)
        catchUpTranscripts()
        // Those whom nobody has answered yet.
        for session in sessions.all where session.cursors[.transcripts] == nil {
          readLater(session, after: session.transcriptPosition)
        }
        return
      } catch {
        // Not there yet: the announcement is begun again.
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  private func tellTranscripts(to instance: String) async throws(Status) {
    let stored: [StoredTranscription]
    let languages: [StoredLanguage]
    do throws(StorageError) {
      (stored, languages) = (try await store.transcriptions(), try await store.spokenLanguages())
    } catch {
      throw error.status
    }
    guard let link = transcription[instance] else { throw Self.transcriptionIsAway }
    for record in stored where transcription.owner(of: record.meeting) === link {
      // One by one: a vocabulary may be large.
      guard let request = V1.StartTranscriptionRequest(record) else { continue }
      try await announce(transcriptions: [request], to: link)
    }
    var choices = languages.filter { transcription.owner(of: $0.meeting) === link }
      .map { V1.TranscriptSession($0.attendee, speaks: $0.language, in: $0.meeting) }
    for session in sessions.all where !session.transcripts.isEmpty {
      guard let meeting = session.messagesMeeting, transcription.owner(of: meeting) === link
      else { continue }
      choices.append(session.transcriptSession(in: meeting))
    }
    var rest = choices[...]
    repeat {
      let part = Array(rest.prefix(Self.choicesPerAnnouncement))
      rest = rest.dropFirst(part.count)
      try await announce(sessions: part, isLast: rest.isEmpty, to: link)
    } while !rest.isEmpty
  }

  private func announce(
    transcriptions: [V1.StartTranscriptionRequest] = [], sessions: [V1.TranscriptSession] = [],
    isLast: Bool = false, to link: ServiceLink<TranscriptionClient>
  ) async throws(Status) {
    _ = try await link.client.announce(
      V1.AnnounceTranscriptionRequest(
        gateway: settings.instance, transcriptions: transcriptions, sessions: sessions,
        last: isLast, gatewayRun: run),
      options: CallOptions())
  }

  private static let choicesPerAnnouncement = 500

  static let transcriptionIsAway = Status(
    .unavailable, "The transcription service does not answer; try again.")
}

extension Session {
  /// What transcription is told of the session.
  func transcriptSession(in meeting: MeetingID) -> V1.TranscriptSession {
    V1.TranscriptSession(
      meetingID: meeting.text, sessionID: id.bytes, participantID: record.participantID,
      viewLanguage: transcripts.view?.text ?? "", spokenLanguage: transcripts.spoken?.text ?? "")
  }
}
