import Bus
import MeetingModel
import ServiceHost
import Wire

// Answers the calls to the operators' endpoint. The file mode of the runtime directory protects
// this endpoint. Clients and operators share the call `GetLimits`.
extension GatewayService: OperatorServer {
  /// Answers a call with an operation of the control plane.
  private func answer<Reply>(
    _ call: Call<Reply>,
    _ operation: @escaping @Sendable (ControlPlane) async throws -> Reply
  ) {
    let control = control
    call.perform { try await operation(control) }
  }

  func createMeeting(_ request: V1.CreateMeetingRequest, _ call: Call<V1.MeetingRecord>) {
    answer(call) { try await $0.create(request) }
  }

  func getMeeting(_ request: V1.GetMeetingRequest, _ call: Call<V1.MeetingRecord>) {
    answer(call) { try await $0.show(request) }
  }

  func listMeetings(_ request: V1.ListMeetingsRequest, _ call: Call<V1.ListMeetingsReply>) {
    answer(call) { try await $0.list(request) }
  }

  func deleteMeeting(_ request: V1.DeleteMeetingRequest, _ call: Call<V1.DeleteMeetingReply>) {
    answer(call) { try await $0.delete(request) }
  }

  func createAttendee(_ request: V1.CreateAttendeeRequest, _ call: Call<V1.AttendeeRecord>) {
    answer(call) { try await $0.create(request) }
  }

  func listAttendees(_ request: V1.ListAttendeesRequest, _ call: Call<V1.ListAttendeesReply>) {
    answer(call) { try await $0.list(request) }
  }

  func deleteAttendee(_ request: V1.DeleteAttendeeRequest, _ call: Call<V1.DeleteAttendeeReply>) {
    answer(call) { try await $0.delete(request) }
  }

  func setMutedByOperator(
    _ request: V1.SetMutedByOperatorRequest, _ call: Call<V1.SetMutedByOperatorReply>
  ) {
    answer(call) { try await $0.setMuted(request) }
  }

  func setBarred(_ request: V1.SetBarredRequest, _ call: Call<V1.SetBarredReply>) {
    answer(call) { try await $0.setBarred(request) }
  }

  func setLocked(_ request: V1.SetLockedRequest, _ call: Call<V1.SetLockedReply>) {
    answer(call) { try await $0.setLocked(request) }
  }

  func demoteAttendee(_ request: V1.DemoteAttendeeRequest, _ call: Call<V1.DemoteAttendeeReply>) {
    answer(call) { try await $0.demote(request) }
  }

  func getRoster(_ request: V1.GetRosterRequest, _ call: Call<V1.RosterSnapshot>) {
    answer(call) { try await $0.roster(request) }
  }

  func listMessages(_ request: V1.ListMessagesRequest, _ call: Call<V1.ListMessagesReply>) {
    answer(call) { try await $0.messages(request) }
  }

  func startTranscription(
    _ request: V1.StartTranscriptionRequest, _ call: Call<V1.StartTranscriptionReply>
  ) { answer(call) { try await $0.start(request) } }

  func stopTranscription(
    _ request: V1.StopTranscriptionRequest, _ call: Call<V1.StopTranscriptionReply>
  ) { answer(call) { try await $0.stop(request) } }

  func getTranscription(
    _ request: V1.GetTranscriptionStateRequest, _ call: Call<V1.TranscriptionState>
  ) { answer(call) { try await $0.transcription(request) } }

  func setSpokenLanguage(
    _ request: V1.SetSpokenLanguageRequest, _ call: Call<V1.SetSpokenLanguageReply>
  ) { answer(call) { try await $0.setSpokenLanguage(request) } }

  func listTranscriptionEngines(
    _ request: V1.ListEnginesRequest, _ call: Call<V1.ListEnginesReply>
  ) {
    call.perform { V1.ListEnginesReply(engines: try await self.transcriptionEngines()) }
  }

  func transcriptionEngines() async throws(Status) -> [V1.AttachedEngine] {
    try await parts.services.transcripts.engines()
  }

  /// Returns the languages that the attached engines transcribe, so that pages can offer them.
  func transcriptionLanguages() async -> [String] {
    await parts.services.transcripts.languages()
  }

  func getServices(_ request: V1.GetServicesRequest, _ call: Call<V1.GetServicesReply>) {
    let registry = registry
    call.perform {
      let instances = try await registry.allInstances()
      return V1.GetServicesReply(
        instances: instances.map(V1.ServiceInstance.init(_:)), version: BuildVersion.current)
    }
  }

  func watchTiles(_ request: V1.WatchTilesRequest, _ stream: ServerStream<V1.ForwardingUpdate>) {
    let number = parts.tileWatches.add(stream)
    tasks.start(.watchTiles(number)) { gateway in
      let meeting: Result<MeetingID, Status>
      do throws(Status) { meeting = .success(try await gateway.control.board(of: request)) } catch {
        meeting = .failure(error)
      }
      gateway.parts.tileWatches.begin(number, on: meeting)
    }
  }
}
