import MeetingModel
import Storage
import Wire

// What operators decide about who may be in a meeting.
extension ControlPlane {
  /// Sends an attendee away: its sessions end, and its token admits nobody until it is allowed to
  /// come back. It holds when this returns; asking again is harmless.
  ///
  /// - Throws: `notFound`; whatever keeps it from holding, though it is stored.
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

  /// Locks a meeting: who is there stays, and nobody new is let in until it is opened again. It
  /// holds when this returns; asking again is harmless.
  ///
  /// - Throws: `notFound`; whatever keeps it from holding, though it is stored.
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

  /// The attendees of a meeting whom operators sent away, in the order of their creation.
  func barred(in meeting: MeetingID) async throws(Status) -> [Attendee] {
    do throws(StorageError) {
      return try await store.attendees(of: [meeting]).values.filter(\.isBarred)
        .sorted { $0.ordinal < $1.ordinal }
    } catch {
      throw report(error)
    }
  }

  // MARK: As the operator's tools ask

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
