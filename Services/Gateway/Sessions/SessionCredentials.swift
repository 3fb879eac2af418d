import MeetingModel
import Storage

/// The meeting, the participant and the join token with which a client requests admission.
struct SessionCredentials: Hashable {
  let meeting: MeetingID
  let participant: ParticipantID
  let token: JoinToken

  private static let longestToken = 2_048

  init(meeting: MeetingID, participant: ParticipantID, token: JoinToken) {
    (self.meeting, self.participant, self.token) = (meeting, participant, token)
  }

  /// Reads credentials from a client's message.
  ///
  /// - Throws: ``refused`` if the text cannot be valid credentials.
  init(meetingID: String, attendeeID: String, joinToken: String) throws(Status) {
    guard let meeting = try? MeetingID(meetingID), let participant = try? ParticipantID(attendeeID),
      joinToken.utf8.count <= Self.longestToken
    else { throw Self.refused }
    self.init(meeting: meeting, participant: participant, token: JoinToken(joinToken))
  }

  /// Returns the meeting and the attendee of these credentials if the token belongs to this
  /// attendee.
  ///
  /// - Throws: ``refused`` for a wrong token, an unknown attendee or an unknown meeting;
  ///   `failedPrecondition` for an ended meeting; `permissionDenied` for a barred attendee, and for
  ///   a content share of an attendee who may not send content; the store's error if the store does
  ///   not answer. Because ``refused`` does not name the wrong value, clients cannot find out which
  ///   meetings exist.
  func admitted(by store: MeetingStore) async throws(Status) -> (Meeting, Attendee) {
    let admission: JoinCredentialsCheck
    do throws(StorageError) {
      admission = try await store.admission(
        meeting: meeting, attendee: participant.attendee, token: token)
    } catch {
      throw error.status
    }
    switch admission {
    case .admitted(let meeting, let attendee):
      guard !attendee.isBarred else { throw Self.barred }
      guard !participant.isContent || attendee.capabilities.content.canSend else {
        throw Self.mayNotShare
      }
      return (meeting, attendee)
    case .meetingEnded(let cause): throw Self.ended(cause)
    case .refused: throw Self.refused
    }
  }

  /// The answer to a wrong token, an unknown attendee or an unknown meeting.
  static let refused = Status(
    .unauthenticated,
    """
    The meeting or the attendee is unknown, or the join token is wrong; request new join \
    credentials.
    """,
    session: .audioAuthenticationRejected, reason: .badCredentials)

  private static let barred = Status(
    .permissionDenied,
    "A host or an operator removed this attendee; ask an operator to let it return.",
    session: .audioAuthenticationRejected, reason: .barred)

  private static let mayNotShare = Status(
    .permissionDenied,
    """
    The capabilities of this attendee do not permit it to share content; an application can \
    change them.
    """,
    session: .audioAuthenticationRejected)

  private static func ended(_ cause: MeetingEndReason) -> Status {
    Status(
      .failedPrecondition, "The meeting has ended; create or join another meeting.",
      session: .audioCallEnded,
      reason: cause == .deleted ? .meetingDeleted : .meetingExpired)
  }
}
