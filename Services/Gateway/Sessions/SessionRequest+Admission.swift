import MeetingModel
import Storage

extension SessionRequest {
  /// The meeting and the attendee that the request is for, if its token is theirs.
  ///
  /// - Throws: ``refused`` for a wrong token, an unknown attendee and an unknown meeting alike, so
  ///   that nobody learns which meetings there are; `failedPrecondition` for a meeting that has
  ///   ended; `permissionDenied` for an attendee whom an operator sent away, and for a content
  ///   share of an attendee who may not send any; what the store says when it cannot be read.
  func admitted(by store: MeetingStore) async throws(Status) -> (Meeting, Attendee) {
    let admission: Admission
    do throws(StorageError) {
      admission = try await store.admission(
        meeting: meeting, attendee: participant.attendee, token: token)
    } catch {
      throw error.status
    }
    switch admission {
    case .admitted(let meeting, let attendee):
      guard !attendee.isBarred else {
        throw Status(
          .permissionDenied, "An operator sent this attendee away; only an operator can lift that.",
          session: .audioAuthenticationRejected, reason: .barred)
      }
      guard !participant.isContent || attendee.capabilities.content.canSend else {
        throw Status(
          .permissionDenied, "This attendee may not share content.",
          session: .audioAuthenticationRejected)
      }
      return (meeting, attendee)
    case .meetingEnded(let cause):
      throw Status(
        .failedPrecondition, "The meeting has ended.", session: .audioCallEnded,
        reason: cause == .deleted ? .meetingDeleted : .meetingExpired)
    case .refused:
      throw Self.refused
    }
  }
}
