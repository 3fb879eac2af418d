import MeetingModel
import Storage
import Wire

// Carries out hosts' requests whose only effect is a notice to attendees. These requests change no
// state of the meeting.
extension ControlPlane {
  /// Asks an attendee to unmute. Only the attendee itself can open its microphone.
  ///
  /// Does nothing if the attendee is not present, is not muted, or has an operator's mute. An
  /// attendee with an operator's mute cannot unmute itself.
  ///
  /// - Throws: `notFound` for an unknown attendee; `unavailable` if `presence` or `messaging` does
  ///   not answer.
  func askToUnmute(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) {
    try await requireAttendee(attendee, in: meeting)
    let isMuted = try await present(in: meeting).contains { entry in
      entry.attendee?.attendeeID == attendee.text && entry.isMuted && !entry.isMutedByOperator
    }
    if isMuted { try await effects.send(.unmuteRequest(attendee), in: meeting) }
  }

  /// Lowers the hand of an attendee. If the attendee's hand is not raised, the call has no effect.
  ///
  /// - Throws: `notFound` for an unknown attendee; `unavailable` if `messaging` does not answer.
  func lowerHand(of attendee: AttendeeID, in meeting: MeetingID) async throws(Status) {
    try await requireAttendee(attendee, in: meeting)
    try await effects.send(.handLowered(attendee), in: meeting)
  }

  /// Lowers the hands of all attendees.
  ///
  /// - Throws: `notFound` for an unknown meeting; `unavailable` if `messaging` does not answer.
  func lowerAllHands(in meeting: MeetingID) async throws(Status) {
    _ = try await self.meeting(meeting)
    try await effects.send(.allHandsLowered, in: meeting)
  }

  /// Makes an attendee a host of the meeting.
  ///
  /// The attendee's client must exchange the appointment for a host token within five minutes. If
  /// the attendee is not present, the call has no effect.
  ///
  /// - Throws: `notFound` for an unknown attendee; `unavailable` if `messaging` does not answer.
  func appoint(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) {
    try await requireAttendee(attendee, in: meeting)
    let appointment = store.tokens.appointments.issue(
      for: attendee, in: meeting, at: settings.now() / 1_000)
    try await effects.send(.appointed(attendee, appointment), in: meeting)
  }

  private func requireAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) {
    _ = try await attendee(id, in: meeting)
  }

  /// Returns the roster's entries; an empty result if no attendee has joined the meeting.
  func present(in meeting: MeetingID) async throws(Status) -> [V1.RosterEntry] {
    do throws(Status) { return try await effects.roster(of: meeting).entries } catch {
      guard error.code == .notFound else { throw error }
      return []
    }
  }
}
