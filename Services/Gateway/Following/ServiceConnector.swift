import MeetingModel
import Wire

/// The gateway's connection to one service: it follows the service's owners, and provides the
/// service to sessions.
///
/// The coordinator uses services only through this protocol.
protocol ServiceConnector: AnyObject {
  var following: any OwnerFollowing { get }

  /// Returns a session's need for the service; `nil` if the session does not need the service.
  func need(of session: GatewayClientSession) -> SessionAdmissionTracker.Need?

  /// Returns the meeting whose events the session receives from this service; `nil` for none.
  func meeting(heardBy session: GatewayClientSession) -> MeetingID?

  /// Returns the meeting whose events may end the session, although the gateway does not forward
  /// these events to the session's client; `nil` for none.
  func meeting(endingUnseen session: GatewayClientSession) -> MeetingID?

  /// Registers a session with the service, or requests events that the session's client has missed.
  ///
  /// - Returns: The first delivery to the client.
  func takeIn(_ session: GatewayClientSession) async throws(Status) -> InitialDelivery

  /// Called after the loss of the client's connection.
  ///
  /// The client may resume the session.
  func detach(_ session: GatewayClientSession)

  /// Called when the session has ended. If the session ended together with its meeting, the gateway
  /// calls this method only if the meeting is a replica.
  func release(_ session: GatewayClientSession, _ ending: SessionEndInitiator)

  /// Notifies the meeting's owner of the end of the meeting, and retries until the owner answers.
  ///
  /// Returns immediately.
  func endMeeting(_ request: V1.EndMeetingRequest, _ id: MeetingID)
}

extension ServiceConnector {
  func detach(_ session: GatewayClientSession) {}

  func meeting(endingUnseen session: GatewayClientSession) -> MeetingID? { nil }
}

extension ServiceConnector where Self: OwnerFollowerAdapter {
  var id: ServiceID { Self.id }
}
