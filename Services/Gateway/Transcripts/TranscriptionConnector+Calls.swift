import Bus
import MeetingModel
import Storage
import Wire

// What clients and operators want of a meeting's transcription.
extension TranscriptionConnector {
  /// A client chooses the language that it reads, and the one that its attendee speaks.
  func setLanguages(
    _ request: V1.SetTranscriptLanguagesRequest, of session: Session
  ) async throws(Status) -> V1.SetTranscriptLanguagesReply {
    guard let meeting = session.messagesMeeting else {
      throw Status(.failedPrecondition, "A content share reads no transcripts.")
    }
    let wish = request.session ?? V1.TranscriptSession()
    try session.transcripts.choose(view: wish.viewLanguage, spoken: wish.spokenLanguage)
    // One that is away is told with the announcement to its next term.
    let owner = try follower.reachableOwner(of: meeting)
    let change = V1.SetTranscriptLanguagesRequest(session: session.transcriptSession(in: meeting))
    return try await owner.client.setTranscriptLanguages(
      change, options: CallOptions(timeout: .seconds(2)))
  }

  /// What is stored of a transcription has changed.
  ///
  /// - Returns: Whether it ran before.
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

  /// Longer than a restart of transcription takes and shorter than a caller's patience.
  private static let timeout = Duration.seconds(4)

  /// An attendee was given a language, or it was taken back.
  func setSpokenLanguage(
    _ language: LanguageCode?, of attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    // One that is away hears it with the announcement to its next term.
    guard let owner = follower.owner(of: meeting) else { return }
    let request = V1.SetTranscriptLanguagesRequest(
      session: V1.TranscriptSession(attendee, speaks: language, in: meeting))
    _ = try await owner.client.setTranscriptLanguages(
      request, options: CallOptions(timeout: .seconds(2)))
  }

  /// How a meeting's transcription is.
  func state(of meeting: MeetingID) async throws(Status) -> V1.TranscriptionState {
    try await follower.reachableOwner(of: meeting).client.getState(
      V1.GetTranscriptionStateRequest(meetingID: meeting.text),
      options: CallOptions(timeout: .seconds(4)))
  }

  /// The engines of all instances that are there.
  func engines() async throws(Status) -> [V1.AttachedEngine] {
    var engines: [V1.AttachedEngine] = []
    for link in follower.all where link.isHeard {
      engines += try await link.client.listEngines(
        V1.ListEnginesRequest(), options: CallOptions(timeout: .seconds(2))
      ).engines
    }
    return engines
  }

  /// The languages that some engine transcribes now, each once, as pages offer them.
  func languages() async -> [String] {
    let offered = ((try? await engines()) ?? []).compactMap(\.capabilities).flatMap(\.languages)
    return offered.map(\.languageCode).reduce(into: []) { languages, code in
      if !languages.contains(code) { languages.append(code) }
    }
  }
}

extension V1.StartTranscriptionRequest {
  /// What is stored, as it is told; `nil` for one that is stopped.
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
  /// An operator's word on an attendee, whether it is present or not.
  init(_ attendee: AttendeeID, speaks language: LanguageCode?, in meeting: MeetingID) {
    self.init(
      meetingID: meeting.text, participantID: ParticipantID(attendee).text,
      spokenLanguage: language?.text ?? "")
  }
}
