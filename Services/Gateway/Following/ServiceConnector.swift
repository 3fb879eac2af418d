import MeetingModel
import Wire

/// The connection of a gateway to one service: follows its owners, and serves sessions' needs of
/// it.
///
/// The coordinator uses services through this protocol alone.
protocol ServiceConnector: AnyObject {
  var following: any OwnerFollowing { get }

  /// Returns what a session needs of the service, or `nil` if nothing.
  func need(of session: Session) -> SessionLedger.Need?

  /// Returns the meeting whose events of this service a session receives, or `nil` if none.
  func meeting(heardBy session: Session) -> MeetingID?

  /// Returns a meeting whose events of this service may end a session but are not shown to its
  /// client, or `nil` if none.
  func meeting(endingUnseen session: Session) -> MeetingID?

  /// Registers a session with the service, or fetches what its client lacks.
  ///
  /// - Returns: The delivery to the client.
  func takeIn(_ session: Session) async throws(Status) -> Delivery

  /// Called when the client's connection is lost.
  ///
  /// The client may resume the session.
  func detach(_ session: Session)

  /// Called when the session is over for good, except by the end of its meeting.
  func release(_ session: Session, _ ending: SessionEnding)

  /// Notifies the owner that a meeting is over, with retries.
  ///
  /// The caller does not wait.
  func endMeeting(_ request: V1.EndMeetingRequest, _ id: MeetingID)
}

extension ServiceConnector {
  func detach(_ session: Session) {}

  func meeting(endingUnseen session: Session) -> MeetingID? { nil }
}

extension ServiceConnector where Self: FollowedService {
  var id: ServiceID { Self.id }
}
