import Bus
import MeetingModel
import Storage
import Wire

// Carries out the effects of the control plane's changes. The store already contains each change.
// The gateway notifies the services of the change, and retries a failed notification.
extension GatewayService: ControlEffects {
  func endMeeting(_ id: MeetingID, status: Status) async throws(Status) {
    try await parts.calls.endMeeting(id, status: status)
  }

  func endAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) {
    try await parts.calls.endAttendee(id, in: meeting)
  }

  func demote(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) -> Bool {
    try await parts.calls.demote(attendee, in: meeting)
  }

  func setMutedByOperator(
    _ isMuted: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try await parts.calls.setMutedByOperator(isMuted, attendee: attendee, in: meeting)
  }

  func mute(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) {
    try await parts.calls.mute(attendee, in: meeting)
  }

  func send(_ notice: HostRequestMessage, in meeting: MeetingID) async throws(Status) {
    try await parts.services.messages.send(notice, in: meeting)
  }

  func setCapabilities(
    _ capabilities: AttendeeCapabilities, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try await parts.calls.setCapabilities(capabilities, attendee: attendee, in: meeting)
  }

  func setBarred(
    _ isBarred: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try await parts.calls.setBarred(isBarred, attendee: attendee, in: meeting)
  }

  func setLocked(_ isLocked: Bool, _ meeting: MeetingID) async throws(Status) {
    try await parts.calls.setLocked(isLocked, meeting)
  }

  func knock(
    _ request: V1.KnockRequest, at meeting: MeetingID
  ) async throws(Status) -> KnockState {
    try await parts.services.roster.knock(request, at: meeting)
  }

  func take(_ knock: KnockID, as entry: GUID, at meeting: MeetingID) async throws(Status) {
    try await parts.services.roster.take(knock, as: entry, at: meeting)
  }

  func putBack(_ knock: KnockID, as entry: GUID, at meeting: MeetingID) async throws(Status) {
    try await parts.services.roster.putBack(knock, as: entry, at: meeting)
  }

  func knocks(at meeting: MeetingID) async throws(Status) -> [V1.WaitingKnock] {
    try await parts.services.roster.knocks(at: meeting)
  }

  func answer(
    _ knock: KnockID, at meeting: MeetingID, admits: Bool
  ) async throws(Status) {
    try await parts.services.roster.answer(knock, at: meeting, admits: admits)
  }

  func hasHost(in meeting: MeetingID) async throws(Status) -> Bool {
    try await parts.services.roster.hasHost(in: meeting)
  }

  func roster(of meeting: MeetingID) async throws(Status) -> V1.RosterSnapshot {
    try await parts.services.roster.roster(of: meeting)
  }

  func decision(on board: MeetingID) async throws(Status) -> V1.ForwardingUpdate {
    try await parts.services.tiles.decision(on: board)
  }

  func messages(
    of meeting: MeetingID, after sequence: UInt64
  ) async throws(Status) -> V1.MessageReplay {
    try await parts.services.messages.messages(of: meeting, after: sequence)
  }

  func eraseMessages(of user: ExternalUserID) async throws(Status) -> UInt64 {
    try await parts.services.messages.erase(user)
  }

  func recordRosters(of meetings: [MeetingID]) async {
    await parts.services.roster.recorder.complete(meetings)
  }

  func limits() -> V1.Limits { parts.keeper.limits }

  func instances() async throws(Status) -> [V1.ServiceInstance] {
    do { return try await registry.allInstances().map(V1.ServiceInstance.init(_:)) } catch {
      throw Status(.unavailable, "The registry does not answer; try again.")
    }
  }

  func transcribe(_ record: StoredTranscription) async throws(Status) -> Bool {
    try await parts.services.transcripts.transcribe(record)
  }

  func setSpokenLanguage(
    _ language: LanguageCode?, of attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try await parts.services.transcripts.setSpokenLanguage(language, of: attendee, in: meeting)
  }

  func transcription(of meeting: MeetingID) async throws(Status) -> V1.TranscriptionState {
    try await parts.services.transcripts.state(of: meeting)
  }

  /// Returns the meetings that have a session or a promoted session at this gateway.
  ///
  /// For a primary, the sessions of its replicas do not count, but the sessions that are promoted
  /// into the primary count.
  func occupiedMeetings() -> [MeetingID] { Array(parts.context.sessions.occupiedMeetings) }

  func endDeletedAttendees() async throws(Status) { try await parts.calls.endUnwantedAttendees() }

  func areServicesReachable() -> Bool { parts.services.roster.follower.isHeard }
}
