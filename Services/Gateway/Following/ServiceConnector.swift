import MeetingModel
import Wire

/// One service's part of a gateway: how its owners are followed, and what sessions need of it.
///
/// The coordinator knows the services by this alone.
protocol ServiceConnector: AnyObject {
  var following: any OwnerFollowing { get }

  /// What a session needs of the service; `nil`: nothing.
  func need(of session: Session) -> SessionLedger.Need?

  /// The meeting whose events of this service a session hears; `nil`: none.
  func meeting(heardBy session: Session) -> MeetingID?

  /// A meeting whose events of this service may end a session, but are not shown to its client;
  /// `nil`: none.
  func meeting(endingUnseen session: Session) -> MeetingID?

  /// Has the service take a session in, or give it what it lacks.
  ///
  /// - Returns: What the client is given.
  func takeIn(_ session: Session) async throws(Status) -> Delivery

  /// Contact with the client is lost: it may resume the session.
  func detach(_ session: Session)

  /// The session is over for good, not by the end of its meeting.
  func release(_ session: Session, _ ending: SessionEnding)

  /// The meeting is over: its owner is told until it has heard. Nobody waits for that.
  func endMeeting(_ request: V1.EndMeetingRequest, _ id: MeetingID)
}

extension ServiceConnector {
  func detach(_ session: Session) {}

  func meeting(endingUnseen session: Session) -> MeetingID? { nil }
}

extension ServiceConnector where Self: FollowedService {
  var id: ServiceID { Self.id }
}
