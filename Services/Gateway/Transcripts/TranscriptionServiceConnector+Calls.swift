import Bus
import MeetingModel
import Storage
import Wire

// Passes on the calls of clients and operators about a meeting's transcription.
extension TranscriptionServiceConnector {
  /// Sets the language that a client reads, and the language that the client's attendee speaks.
  func setLanguages(
    _ request: V1.SetTranscriptLanguagesRequest, of session: GatewayClientSession
  ) async throws(Status) -> V1.SetTranscriptLanguagesReply {
    guard let meeting = session.messagesMeeting else {
      throw Status(
        .failedPrecondition,
        """
        The session of a content share cannot read transcripts; read them in the attendee's own \
        session.
        """)
    }
    let wish = request.session ?? V1.TranscriptSession()
    try session.transcripts.choose(view: wish.viewLanguage, spoken: wish.spokenLanguage)
    // If the owner does not answer, the gateway announces the choice in the owner's next term.
    let owner = try follower.reachableOwner(of: meeting)
    let change = V1.SetTranscriptLanguagesRequest(session: session.transcriptSession(in: meeting))
    return try await owner.client.setTranscriptLanguages(
      change, options: CallOptions(timeout: .seconds(2)))
  }

  /// Applies the stored state of a transcription: starts or stops the transcription.
  ///
  /// - Returns: Whether the transcription was running before.
  func transcribe(_ record: StoredTranscription) async throws(Status) -> Bool {
    let retry = Retry(until: context.now + Self.timeout)
    return try await retry.run(on: context.thread) { () async throws(Status) in
      let client = try follower.reachableOwner(of: record.meeting).client
      let options = CallOptions(timeout: .seconds(2))
      if let request = V1.StartTranscriptionRequest(record) {
        return try await client.start(request, options: options).wasRunning
      }
      let request = V1.StopTranscriptionRequest(
        meetingID: record.meeting.text, revision: record.revision)
      return try await client.stop(request, options: options).wasRunning
    }
  }

  /// The timeout of a change: longer than a restart of `transcription`, and shorter than the
  /// caller's timeout.
  private static let timeout = Duration.seconds(4)

  /// Sets or removes the spoken language of an attendee.
  func setSpokenLanguage(
    _ language: LanguageCode?, of attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    // If there is no owner, the gateway announces the choice to the next owner.
    guard let owner = follower.owner(of: meeting) else { return }
    let request = V1.SetTranscriptLanguagesRequest(
      session: V1.TranscriptSession(attendee, speaks: language, in: meeting))
    _ = try await owner.client.setTranscriptLanguages(
      request, options: CallOptions(timeout: .seconds(2)))
  }

  /// Returns the state of a meeting's transcription.
  func state(of meeting: MeetingID) async throws(Status) -> V1.TranscriptionState {
    try await follower.reachableOwner(of: meeting).client.getState(
      V1.GetTranscriptionStateRequest(meetingID: meeting.text),
      options: CallOptions(timeout: .seconds(4)))
  }

  /// Returns the engines of all instances from which beacons arrive.
  func engines() async throws(Status) -> [V1.AttachedEngine] {
    var engines: [V1.AttachedEngine] = []
    for link in follower.all where link.isHeard {
      engines += try await link.client.listEngines(
        V1.ListEnginesRequest(), options: CallOptions(timeout: .seconds(2))
      ).engines
    }
    return engines
  }

  /// Returns the languages that the attached engines transcribe, each once, so that pages can offer
  /// these languages.
  func languages() async -> [String] {
    let offered = ((try? await engines()) ?? []).compactMap(\.capabilities).flatMap(\.languages)
    return offered.map(\.languageCode).reduce(into: []) { languages, code in
      if !languages.contains(code) { languages.append(code) }
    }
  }
}

extension V1.StartTranscriptionRequest {
  /// Makes the request that starts a stored transcription; `nil` for a stopped transcription.
  init?(_ record: StoredTranscription) {
    guard let packed = record.configuration,
      let configuration = try? V1.TranscriptionConfiguration(packed: packed)
    else { return nil }
    self.init(
      meetingID: record.meeting.text, configuration: configuration, revision: record.revision,
      startedAtMs: UInt64(clamping: record.startedAtMs))
  }
}

extension V1.TranscriptSession {
  /// Creates an operator's choice for an attendee, who need not be present.
  init(_ attendee: AttendeeID, speaks language: LanguageCode?, in meeting: MeetingID) {
    self.init(
      meetingID: meeting.text, participantID: ParticipantID(attendee).text,
      spokenLanguage: language?.text ?? "")
  }
}
