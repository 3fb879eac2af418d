import Bus
import MeetingModel
import Storage
import Wire

// What the control plane has changed in the store, told to the services until they have taken it.
extension GatewayService: ControlEffects {
  func endMeeting(_ id: MeetingID, status: Status) async throws(Status) {
    let request = V1.EndMeetingRequest(meetingID: id.text, status: V1.Status(status))
    for part in parts { part.endMeeting(request, id) }
    try await roster.awaitEnd(request, id)
  }

  func endAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) {
    let nothing = V1.Capabilities(audio: .none, video: .none, content: .none)
    await media.tell(.capabilities(nothing), of: ParticipantID(id), in: board(of: meeting))
    try await roster.endAttendee(id, in: meeting)
  }

  /// Media and video-tiles are told by the gateway that has the promoted session.
  func demote(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) -> Bool {
    try await roster.demote(attendee, in: meeting)
  }

  func setMutedByOperator(
    _ isMuted: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    context.decisions.note(on: attendee, in: meeting) { $0.isMutedByOperator = isMuted }
    await media.tell(
      .isMutedByOperator(isMuted), of: ParticipantID(attendee), in: board(of: meeting))
    try await roster.setMutedByOperator(isMuted, attendee, in: meeting)
  }

  func setCapabilities(
    _ capabilities: AttendeeCapabilities, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    let wire = V1.Capabilities(capabilities)
    context.decisions.note(on: attendee, in: meeting) { $0.capabilities = wire }
    await media.tell(.capabilities(wire), of: ParticipantID(attendee), in: board(of: meeting))
    let request = V1.SetCapabilitiesRequest(
      meetingID: meeting.text, attendeeID: attendee.text, capabilities: wire)
    tiles.setCapabilities(request, of: attendee, in: meeting)
    try await roster.setCapabilities(request, of: attendee, in: meeting)
  }

  func setBarred(
    _ isBarred: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    if isBarred {
      let nothing = V1.Capabilities(audio: .none, video: .none, content: .none)
      await media.tell(.capabilities(nothing), of: ParticipantID(attendee), in: board(of: meeting))
    }
    try await roster.setBarred(isBarred, attendee, in: meeting)
  }

  func setLocked(_ isLocked: Bool, _ meeting: MeetingID) async throws(Status) {
    try await roster.setLocked(isLocked, meeting)
  }

  /// Where a meeting's media is: a replica's with its primary's.
  private func board(of meeting: MeetingID) -> MeetingID {
    context.sessions.all.first { $0.meeting == meeting }?.sourceMeeting ?? meeting
  }

  func roster(of meeting: MeetingID) async throws(Status) -> V1.RosterSnapshot {
    try await roster.roster(of: meeting)
  }

  func messages(
    of meeting: MeetingID, after sequence: UInt64
  ) async throws(Status) -> V1.MessageReplay {
    try await messages.messages(of: meeting, after: sequence)
  }

  func eraseMessages(of user: ExternalUserID) async throws(Status) -> UInt64 {
    try await messages.erase(user)
  }

  func recordRosters(of meetings: [MeetingID]) {
    for meeting in meetings { roster.recorder.lack(meeting) }
  }

  func limits() -> V1.Limits { keeper.limits }

  func instances() async throws(Status) -> [V1.ServiceInstance] {
    do { return try await registry.allInstances().map(V1.ServiceInstance.init(_:)) } catch {
      throw Status(.unavailable, "The registry does not answer; try again.")
    }
  }

  func transcribe(_ record: StoredTranscription) async throws(Status) -> Bool {
    try await transcripts.transcribe(record)
  }

  func setSpokenLanguage(
    _ language: LanguageCode?, of attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try await transcripts.setSpokenLanguage(language, of: attendee, in: meeting)
  }

  func transcription(of meeting: MeetingID) async throws(Status) -> V1.TranscriptionState {
    try await transcripts.state(of: meeting)
  }

  /// An audience does not keep its primary alive; who was promoted into it does.
  func occupiedMeetings() -> [MeetingID] { Array(context.sessions.occupiedMeetings) }

  func endDeletedAttendees() async throws(Status) {
    let unwanted = try await context.decisions.refresh()
    for member in unwanted.deleted { try await endAttendee(member.attendee, in: member.meeting) }
    for member in unwanted.barred {
      try await setBarred(true, attendee: member.attendee, in: member.meeting)
    }
  }

  func areServicesReachable() -> Bool { roster.follower.isHeard }
}
