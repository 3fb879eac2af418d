import Bus
import MeetingModel
import Storage
import Wire

/// The gateway's client of the service `transcription`: sends clients the transcripts of their
/// meeting.
///
/// A session begins without waiting for `transcription`. The client gets the present state when
/// `transcription` answers.
final class TranscriptionServiceConnector {
  private(set) lazy var follower = OwnerFollower(self, in: context)
  let context: GatewayContext
  private let messages = TranscriptMessageConverter()

  init(in context: GatewayContext) { self.context = context }

  static let away = Status(
    .unavailable, "The transcription service does not answer; try again.")

  /// The options of calls that wait until `transcription` has recovered after a restart.
  ///
  /// Before `transcription` has recovered, it does not know which transcriptions run.
  private static let patient = CallOptions(timeout: .seconds(20))
}

// MARK: - Following transcription

extension TranscriptionServiceConnector: OwnerFollowerAdapter {
  static let id = ServiceID(name: "transcription")

  static var stream: MeetingStream? { .transcripts }

  static func topic(of meeting: MeetingID) -> EventTopic { .transcripts(of: meeting) }

  static func client(over channel: RequestChannel) -> TranscriptionClient {
    TranscriptionClient(channel)
  }

  func askLimits(
    _ client: TranscriptionClient, in term: UInt64,
    then: @escaping (Result<V1.Limits, Status>) -> Void
  ) { client.getLimits(V1.GetLimitsRequest(), options: CallOptions(term: term), then: then) }

  func form(of item: PackedSessionEvents, for session: GatewayClientSession) -> PackedSessionEvents
  {
    guard session.transcripts.asMessages else { return item }
    return messages.item(for: item, nowMs: WallClock.nowMs)
  }

  func askMissed(
    of meeting: MeetingID, after cursor: StreamCursor, _ client: TranscriptionClient,
    then: @escaping (Result<MissedEventsReply, Status>) -> Void
  ) {
    let request = V1.ReplayRequest(meeting, after: cursor)
    client.replay(request, options: Self.patient) { [unowned context] result in
      then(
        result.flatMap { reply in
          switch reply.outcome {
          case .events(let events): .success(.events(events.events))
          case .snapshot(let snapshot):
            .success(
              .snapshot(at: snapshot.cursor) { hub in
                // Each session needs its own snapshot, because the open results in a snapshot
                // depend on the session.
                for session in hub.sessions {
                  context.coordinator.sessionLacks(session.number, Self.id)
                }
              })
          case nil: .failure(.emptyAnswer)
          }
        })
    }
  }

  /// Announces the running transcriptions and the choices of languages to an instance, in parts.
  func announce(to link: ServiceLink<TranscriptionClient>) async throws(Status) {
    let (stored, languages) = try await stored()
    let membership = follower.membership
    for record in stored where follower.owner(of: record.meeting) === link {
      // Each part of the announcement contains one transcription, because a vocabulary may be
      // large.
      guard let request = V1.StartTranscriptionRequest(record) else { continue }
      try await announce(transcriptions: [request], to: link)
    }
    var choices = languages.filter { follower.owner(of: $0.meeting) === link }
      .map { V1.TranscriptSession($0.attendee, speaks: $0.language, in: $0.meeting) }
    for session in context.sessions.all where !session.transcripts.isEmpty {
      guard let meeting = session.messagesMeeting, follower.owner(of: meeting) === link
      else { continue }
      choices.append(session.transcriptSession(in: meeting))
    }
    var rest = choices[...]
    repeat {
      let part = Array(rest.prefix(Self.choicesPerAnnouncement))
      rest = rest.dropFirst(part.count)
      try await announce(sessions: part, isLast: rest.isEmpty, seeing: membership, to: link)
    } while !rest.isEmpty
    // These sessions have no position in the transcripts yet, because `transcription` has not yet
    // answered the request for the position.
    for session in context.sessions.all where session.cursors[.transcripts] == nil {
      context.coordinator.sessionLacks(session.number, Self.id)
    }
  }

  private func stored() async throws(Status) -> ([StoredTranscription], [AttendeeLanguageSetting]) {
    do throws(StorageError) {
      return (
        try await context.store.transcriptions(), try await context.store.spokenLanguages()
      )
    } catch {
      throw error.status
    }
  }

  private func announce(
    transcriptions: [V1.StartTranscriptionRequest] = [], sessions: [V1.TranscriptSession] = [],
    isLast: Bool = false, seeing membership: UInt64 = 0,
    to link: ServiceLink<TranscriptionClient>
  ) async throws(Status) {
    let reply = try await link.client.announce(
      V1.AnnounceTranscriptionRequest(
        gateway: context.settings.instance, transcriptions: transcriptions, sessions: sessions,
        last: isLast, gatewayRun: context.run, membership: membership),
      options: CallOptions())
    for refusal in reply.refused { context.note(refusal, by: Self.id) }
    for refusal in reply.refusedTranscriptions {
      context.note(refusal.status, refusing: "meeting \(refusal.meetingID)", by: Self.id)
    }
  }

  private static let choicesPerAnnouncement = 500
}

// MARK: - Sessions

extension TranscriptionServiceConnector: ServiceConnector {
  var following: any OwnerFollowing { follower }

  func need(of session: GatewayClientSession) -> SessionAdmissionTracker.Need? {
    guard !session.participant.isContent else { return nil }
    return SessionAdmissionTracker.Need(service: Self.id, step: .afterRoster)
  }

  func meeting(heardBy session: GatewayClientSession) -> MeetingID? { session.messagesMeeting }

  func takeIn(_ session: GatewayClientSession) async throws(Status) -> InitialDelivery {
    guard let meeting = session.messagesMeeting else { throw Self.away }
    session.lose(.transcripts)
    let client = try follower.reachableOwner(of: meeting).client
    let position = session.owed[.transcripts]
    let join = V1.JoinTranscriptsRequest(session: session.transcriptSession(in: meeting))
    let snapshot = try await client.join(
      join, options: Self.patient.traced(by: session.trace))
    if let position, position.epoch == snapshot.epoch {
      let request = V1.ReplayRequest(meeting, after: position)
      let reply = try await client.replay(request, options: Self.patient)
      if case .events(let missed) = reply.outcome {
        return InitialDelivery { [unowned self] in
          give(missed.events, since: position, to: session, of: meeting)
        }
      }
    }
    // If there was no transcription so far, the client has missed nothing.
    let isComplete = position.map { $0.sequence == 0 } ?? true
    return InitialDelivery(isComplete: isComplete) { [unowned self] in
      give(snapshot, to: session, of: meeting)
    }
  }

  private func give(
    _ missed: [V1.PackedEvent], since position: StreamCursor, to session: GatewayClientSession,
    of meeting: MeetingID
  ) {
    let hub = follower.hub(of: meeting)
    session.owed[.transcripts] = nil
    session.cursors[.transcripts] = position
    for event in missed { hub.give(event, to: session) }
    if let cursor = session.cursors[.transcripts] { hub.place(session, at: cursor) }
  }

  /// Sends a client the status and the open results. If no transcription ever ran, sends only the
  /// client's position in the stream of transcript events.
  private func give(
    _ snapshot: V1.TranscriptSnapshot, to session: GatewayClientSession, of meeting: MeetingID
  ) {
    var own = snapshot
    own.sessions = []
    let hub = follower.hub(of: meeting)
    let event = V1.SessionEvent(event: .transcriptSnapshot(own))
    let item = PackedSessionEvents(
      V1.SessionEvents(
        events: own.status == nil ? [] : [event],
        positions: [MeetingStream.transcripts.position(at: own.cursor)]))
    session.owed[.transcripts] = nil
    session.queue(form(of: item, for: session))
    hub.place(session, at: own.cursor)
  }

  /// Sends a session's choices to `transcription` again, because the client now acts as another
  /// attendee.
  func tellChoices(of session: GatewayClientSession) {
    guard let meeting = session.messagesMeeting, !session.transcripts.isEmpty else { return }
    follower.notices.add(
      .session(session.id, in: meeting),
      while: { [unowned context] in context.sessions[session.number] === session }
    ) { client, options, then in
      let join = V1.JoinTranscriptsRequest(session: session.transcriptSession(in: meeting))
      client.join(join, options: options) { then($0.failure) }
    }
  }

  /// Notifies `transcription` that a session has ended. `transcription` then deletes the client's
  /// choices.
  func release(_ session: GatewayClientSession, _ ending: SessionEndInitiator) {
    guard let meeting = session.messagesMeeting, !session.transcripts.isEmpty else { return }
    let request = V1.LeaveRequest(meetingID: meeting.text, sessionID: session.id.bytes)
    follower.notices.add(.session(session.id, in: meeting)) { client, options, then in
      client.leave(request, options: options) { then($0.failure) }
    }
  }

  /// Ends the transcription of a meeting that has ended.
  func endMeeting(_ request: V1.EndMeetingRequest, _ id: MeetingID) {
    follower.notices.add(.meeting(id)) { client, options, then in
      client.endMeeting(request, options: options) { then($0.failure) }
    }
  }
}

extension V1.TranscriptSnapshot {
  fileprivate var cursor: StreamCursor { StreamCursor(epoch: epoch, sequence: sequence) }
}

extension GatewayClientSession {
  /// Returns the session in the form that `transcription` receives.
  func transcriptSession(in meeting: MeetingID) -> V1.TranscriptSession {
    V1.TranscriptSession(
      meetingID: meeting.text, sessionID: id.bytes, participantID: record.participantID,
      viewLanguage: transcripts.view?.text ?? "", spokenLanguage: transcripts.spoken?.text ?? "",
      promotedAs: promotion.record?.participantID ?? "")
  }
}
