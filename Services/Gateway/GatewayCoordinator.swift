import Bus
import MeetingModel
import Wire

/// The interface through which the gateway's components start tasks, and call components that
/// ``GatewayComponents`` creates later.
protocol GatewayCoordinator: AnyObject {
  /// Announces this gateway's sessions to an instance of a service, from the beginning.
  func announce(_ service: ServiceID, to instance: String)

  /// Asks a service again to admit a session. The service has lost the session, or the client has
  /// missed events of the service's stream.
  func sessionLacks(_ session: SessionNumber, _ service: ServiceID)

  /// Starts a task that asks a service to admit a session.
  func take(_ attempt: SessionAdmissionTracker.ServiceRequest)

  /// Cancels the task that asks a service to admit a session.
  func giveUp(_ session: SessionNumber, _ service: ServiceID)

  /// Ends a session permanently.
  func end(_ session: GatewayClientSession, _ status: Status?, _ ending: SessionEndInitiator)

  /// Called before the gateway removes a lost or ended session. The gateway notifies the services
  /// and the other clients later.
  func willRemove(_ session: GatewayClientSession, as reason: V1.PresenceReason)

  /// Called when `presence` has dropped a session that reads the messages of a meeting.
  func sessionLost(_ session: SessionID, in meeting: MeetingID)

  /// Called when `presence` has ended a session's promotion.
  ///
  /// The session continues in its replica.
  func endPromotion(of session: GatewayClientSession, with status: Status)

  /// Called after `presence` has reported that a host muted a session's attendee, or that the
  /// attendee has lifted this mute.
  ///
  /// The coordinator notifies `media` again, because the attendee may have unmuted itself while the
  /// host's gateway notified `media`.
  func mutedByHost(_ session: GatewayClientSession)

  /// Called when `presence` has ended a meeting that has sessions at this gateway.
  ///
  /// The coordinator notifies the other services again. The operator's gateway has already notified
  /// these services, but a later request may have created the meeting's state in a service again.
  func meetingEnded(_ meeting: MeetingID, with status: Status)

  /// Writes the changed rosters into the meetings' records in the store.
  func recordRosters()
}
