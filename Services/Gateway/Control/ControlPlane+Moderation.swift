import MeetingModel
import Storage
import Wire

// Carries out decisions about who may be in a meeting, and mutes attendees for hosts.
extension ControlPlane {
  /// Bars an attendee, or readmits it.
  ///
  /// Barring ends the attendee's sessions. The gateway rejects the attendee's token until an
  /// operator readmits the attendee. The change has taken effect when this method returns. Repeated
  /// calls have no further effect.
  ///
  /// - Throws: `notFound`. After any other error, the store contains the change, but the change
  ///   takes effect later.
  func setBarred(
    _ isBarred: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try await toTheEnd { () async throws(Status) in
      do throws(StorageError) {
        try await store.setBarred(
          isBarred, attendee: attendee, in: meeting, at: settings.now())
      } catch {
        throw report(error)
      }
      try await effects.setBarred(isBarred, attendee: attendee, in: meeting)
    }
  }

  /// Mutes an attendee on a host's request. The attendee may unmute itself. The store does not
  /// record this mute.
  ///
  /// - Throws: `notFound`; `unavailable` if `presence` does not answer.
  func mute(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) {
    do throws(StorageError) {
      _ = try await store.attendee(attendee, in: meeting)
    } catch {
      throw report(error)
    }
    try await effects.mute(attendee, in: meeting)
  }

  /// Mutes, on a host's request, all attendees who are present and not muted, except those in
  /// `spared`.
  ///
  /// - Returns: The number of muted attendees.
  /// - Throws: The errors of ``mute(_:in:)``. After an error, some attendees may be muted.
  func muteAll(
    in meeting: MeetingID, except spared: Set<AttendeeID>
  ) async throws(Status) -> Int {
    var count = 0
    for attendee in try await speakers(in: meeting) where !spared.contains(attendee) {
      try await effects.mute(attendee, in: meeting)
      count += 1
    }
    return count
  }

  /// Returns the attendees who are present and not muted; an empty result if no attendee has joined
  /// the meeting.
  private func speakers(in meeting: MeetingID) async throws(Status) -> [AttendeeID] {
    _ = try await self.meeting(meeting)
    return try await present(in: meeting).filter { !$0.isMuted }.compactMap { entry in
      let participant = entry.attendee.flatMap { try? ParticipantID($0.attendeeID) }
      return participant.flatMap { $0.isContent ? nil : $0.attendee }
    }
  }

  /// Locks or unlocks a meeting.
  ///
  /// In a locked meeting, present attendees remain, and the gateway admits no new attendees. The
  /// change has taken effect when this method returns. Repeated calls have no further effect.
  ///
  /// - Throws: `notFound`. After any other error, the store contains the change, but the change
  ///   takes effect later.
  func setLocked(_ isLocked: Bool, _ meeting: MeetingID) async throws(Status) {
    try await toTheEnd { () async throws(Status) in
      do throws(StorageError) {
        try await store.setLocked(isLocked, meeting, at: settings.now())
      } catch {
        throw report(error)
      }
      try await effects.setLocked(isLocked, meeting)
    }
  }

  /// Lets an attendee into a meeting, even into a locked meeting. The attendee must join within a
  /// few seconds, because `presence` does not remember the decision for longer.
  func letIn(_ attendee: AttendeeID, to meeting: MeetingID) async throws(Status) {
    try await effects.setBarred(false, attendee: attendee, in: meeting)
  }

  /// Returns the barred attendees of a meeting, in the order of their creation.
  func barred(in meeting: MeetingID) async throws(Status) -> [Attendee] {
    do throws(StorageError) {
      return try await store.attendees(of: [meeting]).values.filter(\.isBarred)
        .sorted { $0.ordinal < $1.ordinal }
    } catch {
      throw report(error)
    }
  }

  // MARK: Requests of the operator's tools

  func setBarred(_ request: V1.SetBarredRequest) async throws(Status) -> V1.SetBarredReply {
    try await setBarred(
      request.isBarred, attendee: Self.attendeeID(request.attendeeID),
      in: Self.meetingID(request.meetingID))
    return V1.SetBarredReply()
  }

  func setLocked(_ request: V1.SetLockedRequest) async throws(Status) -> V1.SetLockedReply {
    try await setLocked(request.isLocked, Self.meetingID(request.meetingID))
    return V1.SetLockedReply()
  }
}
