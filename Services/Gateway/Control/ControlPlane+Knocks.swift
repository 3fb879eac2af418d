import MeetingModel
import Storage
import Wire

// Passes knocks at locked meetings to `presence`, which keeps the knocks of all gateways.
extension ControlPlane {
  /// Adds a knock, or returns the state of a known knock.
  ///
  /// - Parameter address: The address of the waiting person; empty if unknown.
  /// - Throws: The errors of ``ControlEffects/knock(_:at:)``.
  func knock(
    _ ticket: KnockTicket, from address: String
  ) async throws(Status) -> KnockState {
    let age = max(0, settings.now() - ticket.openedAt)
    let request = V1.KnockRequest(
      meetingID: ticket.meeting.text, knockID: ticket.id.text, displayName: ticket.name.text,
      address: address, ageMs: UInt64(age))
    return try await effects.knock(request, at: ticket.meeting)
  }

  /// Records that a person who knocked enters the meeting. Only the first call succeeds.
  ///
  /// - Throws: `notFound` for every further call, and for an unknown or denied knock; `unavailable`
  ///   if `presence` does not answer.
  func take(_ ticket: KnockTicket) async throws(Status) {
    try await effects.take(ticket.id, at: ticket.meeting)
  }

  /// Returns the waiting knocks, oldest first. `presence` then regards a host as present for 15 s.
  ///
  /// - Throws: `unavailable` if `presence` does not answer.
  func knocks(at meeting: MeetingID) async throws(Status) -> [V1.WaitingKnock] {
    try await effects.knocks(at: meeting)
  }

  /// Admits or denies a waiting person.
  ///
  /// - Throws: `notFound` if nobody waits with this knock, or if a host has given the opposite
  ///   answer; `unavailable` if `presence` does not answer.
  func answer(
    _ knock: KnockID, at meeting: MeetingID, admits: Bool
  ) async throws(Status) {
    try await effects.answer(knock, at: meeting, admits: admits)
  }

  /// Returns whether the page of a host has asked for knocks within the last 15 s.
  ///
  /// - Throws: `unavailable` if `presence` does not answer.
  func hasHost(in meeting: MeetingID) async throws(Status) -> Bool {
    try await effects.hasHost(in: meeting)
  }
}
