import MeetingModel
import Storage
import Wire

// Carries out operators' actions on meetings and attendees. The store has each decision before the
// gateway notifies the services. `media` applies the decision first. Then `presence` reports the
// decision to all clients.
extension SessionCalls {
  /// Ends a meeting in every service. Each session of the meeting ends with `status`.
  func endMeeting(_ id: MeetingID, status: Status) async throws(Status) {
    let request = V1.EndMeetingRequest(meetingID: id.text, status: V1.Status(status))
    for part in services.all { part.endMeeting(request, id) }
    try await services.roster.awaitEnd(request, id)
  }

  /// Ends the sessions of a deleted attendee.
  func endAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) {
    await silence(id, in: meeting)
    try await services.roster.endAttendee(id, in: meeting)
  }

  /// Mutes an attendee at an operator's request, or ends an operator's mute.
  func setMutedByOperator(
    _ isMuted: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    context.decisions.note(on: attendee, in: meeting) { $0.isMutedByOperator = isMuted }
    await tellMedia(.isMutedByOperator(isMuted), of: attendee, in: meeting)
    try await services.roster.setMutedByOperator(isMuted, attendee, in: meeting)
  }

  /// Mutes an attendee on a host's request. The attendee's client may unmute itself.
  ///
  /// `media` applies the mute before `presence`. The attendee may unmute itself between these two
  /// steps. So the attendee's gateway notifies `media` again when `presence` reports the mute.
  func mute(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) {
    await tellMedia(.isMuted(true), of: attendee, in: meeting)
    try await services.roster.mute(attendee, in: meeting)
  }

  /// Changes what an attendee may do.
  func setCapabilities(
    _ capabilities: AttendeeCapabilities, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    let wire = V1.Capabilities(capabilities)
    context.decisions.note(on: attendee, in: meeting) { $0.capabilities = wire }
    await tellMedia(.capabilities(wire), of: attendee, in: meeting)
    let request = V1.SetCapabilitiesRequest(
      meetingID: meeting.text, attendeeID: attendee.text, capabilities: wire)
    services.tiles.setCapabilities(request, of: attendee, in: meeting)
    try await services.roster.setCapabilities(request, of: attendee, in: meeting)
  }

  /// Bars an attendee from a meeting, or readmits the attendee.
  func setBarred(
    _ isBarred: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    if isBarred { await silence(attendee, in: meeting) }
    try await services.roster.setBarred(isBarred, attendee, in: meeting)
  }

  /// Locks a meeting, or unlocks it.
  func setLocked(_ isLocked: Bool, _ meeting: MeetingID) async throws(Status) {
    try await services.roster.setLocked(isLocked, meeting)
  }

  /// Ends the promotion in which a client acts as this attendee.
  ///
  /// The gateway of the promoted session notifies `media` and `video-tiles`.
  ///
  /// - Returns: Whether a session was promoted as this attendee.
  func demote(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) -> Bool {
    try await services.roster.demote(attendee, in: meeting)
  }

  /// Ends the remaining sessions of deleted and barred attendees.
  func endUnwantedAttendees() async throws(Status) {
    let unwanted = try await context.decisions.refresh()
    for member in unwanted.deleted { try await endAttendee(member.attendee, in: member.meeting) }
    for member in unwanted.barred {
      try await setBarred(true, attendee: member.attendee, in: member.meeting)
    }
  }

  /// Asks `media` to forward nothing more from an attendee.
  private func silence(_ attendee: AttendeeID, in meeting: MeetingID) async {
    let nothing = V1.Capabilities(audio: .none, video: .none, content: .none)
    await tellMedia(.capabilities(nothing), of: attendee, in: meeting)
  }

  private func tellMedia(
    _ change: V1.SetSendRightsRequest.Change, of attendee: AttendeeID, in meeting: MeetingID
  ) async {
    await services.media.tell(change, of: ParticipantID(attendee), in: board(of: meeting))
  }

  /// Returns the meeting that contains a meeting's media: the primary of a replica, or otherwise
  /// the meeting itself.
  private func board(of meeting: MeetingID) -> MeetingID {
    context.sessions.all.first { $0.meeting == meeting }?.sourceMeeting ?? meeting
  }
}
