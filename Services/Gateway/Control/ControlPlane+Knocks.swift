import Logging
import MeetingModel
import ServiceHost
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

  /// Lets a person who knocked enter the meeting once. If `work` throws, the person waits again,
  /// and hosts see the knock again.
  ///
  /// - Parameter work: Creates the attendee.
  /// - Returns: The result of `work`; `nil` if `work` has thrown an error.
  /// - Throws: `notFound` if the person has entered before, and for an unknown or denied knock;
  ///   `unavailable` if `presence` does not answer.
  func enter<Entered: Sendable>(
    with ticket: KnockTicket, _ work: @escaping @Sendable () async throws(Status) -> Entered
  ) async throws(Status) -> Entered? {
    try await toTheEnd { () async throws(Status) in
      let entry = GUID.random()
      try await effects.take(ticket.id, as: entry, at: ticket.meeting)
      let failure: Status
      do throws(Status) { return try await work() } catch { failure = error }
      logger.info(
        "A person whom a host admitted could not enter; the person waits again",
        metadata: [
          LogMetadataKey.meeting: "\(ticket.meeting)", LogMetadataKey.error: "\(failure)",
        ])
      try await effects.putBack(ticket.id, as: entry, at: ticket.meeting)
      return nil
    }
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

  /// Checks that a meeting can have one more attendee.
  ///
  /// - Throws: `notFound` for an unknown or ended meeting; `resourceExhausted` if the meeting is
  ///   full.
  func requireRoom(in meeting: MeetingID) async throws(Status) {
    do throws(StorageError) { try await store.requireRoom(in: meeting) } catch {
      throw report(error)
    }
  }

  /// Returns whether the page of a host has asked for knocks within the last 15 s.
  ///
  /// - Throws: `unavailable` if `presence` does not answer.
  func hasHost(in meeting: MeetingID) async throws(Status) -> Bool {
    try await effects.hasHost(in: meeting)
  }
}
