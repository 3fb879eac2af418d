import Bus
import MeetingModel
import Ownership
import Wire

/// Answers requests: each method reads its request, calls ``Transcriptions`` for the decision, and
/// answers.
extension TranscriptionService: TranscriptionServer {
  // MARK: Operators

  func start(
    _ request: V1.StartTranscriptionRequest, _ call: Call<V1.StartTranscriptionReply>
  ) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let settings = try TranscriptionSettings(request.configuration)
      let wasRunning = try decide {
        try $0.start(
          meeting, settings, revision: request.revision,
          startedAtMs: request.startedAtMs == 0 ? $1.milliseconds : request.startedAtMs, at: $1)
      }
      call.reply(V1.StartTranscriptionReply(wasRunning: wasRunning))
    }
  }

  func stop(_ request: V1.StopTranscriptionRequest, _ call: Call<V1.StopTranscriptionReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let wasRunning = decide { $0.stop(meeting, revision: request.revision, at: $1) }
      call.reply(V1.StopTranscriptionReply(wasRunning: wasRunning))
    }
  }

  func getState(
    _ request: V1.GetTranscriptionStateRequest, _ call: Call<V1.TranscriptionState>
  ) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      whenSettled(call, of: meeting) { [self] in
        V1.TranscriptionState(core.state(of: meeting), of: meeting)
      }
    }
  }

  func listEngines(_ request: V1.ListEnginesRequest, _ call: Call<V1.ListEnginesReply>) {
    attempt(call) {
      let engines = core.engineList.map { V1.AttachedEngine($0, at: configuration.instance) }
      call.reply(V1.ListEnginesReply(engines: engines))
    }
  }

  // MARK: Sessions

  func join(_ request: V1.JoinTranscriptsRequest, _ call: Call<V1.TranscriptSnapshot>) {
    attempt(call) {
      let (meeting, choice) = try LanguageChoices.Choice.read(request.session)
      try require(meeting)
      guard choice.session != nil else {
        throw InvalidModelValue.invalidValue(what: "session_id", rule: "16 bytes")
      }
      try decide { _ = try $0.set(choice, in: meeting, at: $1) }
      if let session = choice.session {
        note(
          "The session reads transcripts", of: session, as: choice.participant, in: meeting, call)
      }
      whenSettled(call, of: meeting) { [self] in snapshot(of: meeting, for: choice.participant) }
    }
  }

  func leave(_ request: V1.LeaveRequest, _ call: Call<V1.LeaveReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      decide { $0.leave(session, in: meeting, at: $1) }
      call.reply(V1.LeaveReply())
    }
  }

  func setTranscriptLanguages(
    _ request: V1.SetTranscriptLanguagesRequest, _ call: Call<V1.SetTranscriptLanguagesReply>
  ) {
    attempt(call) {
      let (meeting, choice) = try LanguageChoices.Choice.read(request.session)
      try require(meeting)
      let isOffered = try decide { try $0.set(choice, in: meeting, at: $1) }
      call.reply(V1.SetTranscriptLanguagesReply(isOffered: isOffered))
    }
  }

  // MARK: Snapshots

  func snapshot(_ request: V1.SnapshotRequest, _ call: Call<V1.TranscriptSnapshot>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      whenSettled(call, of: meeting) { [self] in snapshot(of: meeting) }
    }
  }

  func replay(_ request: V1.ReplayRequest, _ call: Call<V1.TranscriptReplayReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let events = owner.streams[meeting]?.replay(
        epoch: request.epoch, after: request.afterSequence)
      if let events {
        call.reply(V1.TranscriptReplayReply(outcome: .events(V1.ReplayedEvents(events: events))))
      } else {
        whenSettled(call, of: meeting) { [self] in
          V1.TranscriptReplayReply(outcome: .snapshot(snapshot(of: meeting)))
        }
      }
    }
  }

  // MARK: Gateways

  func announce(
    _ request: V1.AnnounceTranscriptionRequest, _ call: Call<V1.AnnounceTranscriptionReply>
  ) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      let transcriptions = request.transcriptions.compactMap { restore($0) }
      let sessions = request.sessions.compactMap { restore($0) }
      if request.last { decide { $0.didAnnounce(gateway, seeing: request.membership, at: $1) } }
      call.reply(
        V1.AnnounceTranscriptionReply(
          term: term, refused: sessions, refusedTranscriptions: transcriptions))
    }
  }

  /// Restores an announced transcription. A failure does not affect other transcriptions.
  ///
  /// - Returns: The refusal; `nil` after a success.
  private func restore(_ request: V1.StartTranscriptionRequest) -> V1.RefusedTranscription? {
    do {
      let meeting = try MeetingID(request.meetingID)
      let settings = try TranscriptionSettings(request.configuration)
      try decide {
        _ = try $0.start(
          meeting, settings, revision: request.revision,
          startedAtMs: request.startedAtMs == 0 ? $1.milliseconds : request.startedAtMs, at: $1)
      }
      return nil
    } catch {
      return V1.RefusedTranscription(
        meetingID: request.meetingID, status: V1.Status(owner.refusal(error)))
    }
  }

  private func restore(_ session: V1.TranscriptSession) -> V1.RefusedSession? {
    do {
      let (meeting, choice) = try LanguageChoices.Choice.read(session)
      try decide { _ = try $0.set(choice, in: meeting, at: $1) }
      return nil
    } catch {
      return V1.RefusedSession(
        sessionID: session.sessionID, status: V1.Status(owner.refusal(error)))
    }
  }

  func endMeeting(_ request: V1.EndMeetingRequest, _ call: Call<V1.EndMeetingReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      decide { $0.end(meeting, at: $1) }
      call.reply(V1.EndMeetingReply())
    }
  }

  func getLimits(_ request: V1.GetLimitsRequest, _ call: Call<V1.Limits>) {
    owner.hear(highestTerm: call.header.term)
    attempt(call) { call.reply(V1.Limits()) }
  }
}
