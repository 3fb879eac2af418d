import Bus
import MeetingModel
import ServiceHost
import Storage
import Wire
import ZeroMQ

// What operators and the control API want transcribed, told to whoever does it.
extension GatewayService {
  func transcribe(_ record: StoredTranscription) async throws(Status) -> Bool {
    let meeting = record.meeting
    let deadline = thread.now + Self.patienceWithTranscription
    while true {
      let status: Status
      do throws(Status) {
        guard let owner = transcription.owner(of: meeting) else { throw Self.transcriptionIsAway }
        let options = CallOptions(timeout: .seconds(2))
        if let request = V1.StartTranscriptionRequest(record) {
          return try await owner.client.start(request, options: options).wasRunning
        }
        let request = V1.StopTranscriptionRequest(
          meetingID: meeting.text, revision: record.revision)
        return try await owner.client.stop(request, options: options).wasRunning
      } catch {
        status = error
      }
      guard status.isWorthRepeating, thread.now < deadline, !isDraining else { throw status }
      do { try await Task.sleep(for: .milliseconds(100)) } catch { throw status }
    }
  }

  func setSpokenLanguage(
    _ language: LanguageCode?, of attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    // One that is away hears it with the announcement to its next term.
    guard let owner = transcription.owner(of: meeting) else { return }
    let request = V1.SetLanguagesRequest(
      session: V1.TranscriptSession(attendee, speaks: language, in: meeting))
    _ = try await owner.client.setLanguages(request, options: CallOptions(timeout: .seconds(2)))
  }

  func transcription(of meeting: MeetingID) async throws(Status) -> V1.TranscriptionState {
    guard let owner = transcription.owner(of: meeting) else { throw Self.transcriptionIsAway }
    return try await owner.client.getState(
      V1.GetTranscriptionStateRequest(meetingID: meeting.text),
      options: CallOptions(timeout: .seconds(4)))
  }

  func transcriptionEngines() async throws(Status) -> [V1.AttachedEngine] {
    var engines: [V1.AttachedEngine] = []
    for link in transcription.all.sorted(by: { $0.instance < $1.instance }) where link.isHeard {
      engines += try await link.client.listEngines(
        V1.ListEnginesRequest(), options: CallOptions(timeout: .seconds(2))
      ).engines
    }
    return engines
  }

  func startTranscription(
    _ request: V1.StartTranscriptionRequest, _ call: Call<V1.StartTranscriptionReply>
  ) {
    let control = control
    call.perform { try await control.start(request) }
  }

  func stopTranscription(
    _ request: V1.StopTranscriptionRequest, _ call: Call<V1.StopTranscriptionReply>
  ) {
    let control = control
    call.perform { try await control.stop(request) }
  }

  func getTranscription(
    _ request: V1.GetTranscriptionStateRequest, _ call: Call<V1.TranscriptionState>
  ) {
    let control = control
    call.perform { try await control.transcription(request) }
  }

  func listTranscriptionEngines(
    _ request: V1.ListEnginesRequest, _ call: Call<V1.ListEnginesReply>
  ) {
    call.perform { V1.ListEnginesReply(engines: try await self.transcriptionEngines()) }
  }

  func setSpokenLanguage(
    _ request: V1.SetSpokenLanguageRequest, _ call: Call<V1.SetSpokenLanguageReply>
  ) {
    let control = control
    call.perform { try await control.setSpokenLanguage(request) }
  }

  /// Longer than a restart of transcription takes and shorter than a caller's patience.
  private static let patienceWithTranscription = Duration.seconds(4)
}

extension V1.StartTranscriptionRequest {
  /// What is stored, as it is told; `nil` for one that is stopped.
  init?(_ record: StoredTranscription) {
    guard let packed = record.configuration,
      let configuration = try? V1.TranscriptionConfiguration(packed: packed)
    else { return nil }
    self.init(
      meetingID: record.meeting.text, configuration: configuration, revision: record.revision,
      startedAtMs: UInt64(clamping: record.startedAt))
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
