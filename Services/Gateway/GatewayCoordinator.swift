import Bus
import MeetingModel
import Wire

/// The calls of the gateway's components to components that are created after them, and to its
/// tasks.
protocol GatewayCoordinator: AnyObject {
  /// Announces this gateway's sessions to an instance of a service, from the beginning.
  func announce(_ service: ServiceID, to instance: String)

  /// Asks a service again to admit a session, because the service forgot it or the client lacks
  /// something of its stream.
  func sessionLacks(_ session: SessionNumber, _ service: ServiceID)

  /// Starts a task that asks a service to admit a session.
  func take(_ attempt: SessionLedger.Attempt)

  /// Cancels the task that asks a service to admit a session.
  func giveUp(_ session: SessionNumber, _ service: ServiceID)

  /// Ends a session for good.
  func end(_ session: Session, _ status: Status?, _ ending: SessionEnding)

  /// Called for a session that is lost or over, before the services and other clients learn of it.
  func willRemove(_ session: Session, as reason: V1.PresenceReason)

  /// Called when presence has given up a session that reads the messages of a meeting.
  func sessionLost(_ session: SessionID, in meeting: MeetingID)

  /// Called when presence has ended a session's promotion.
  ///
  /// The session goes on watching.
  func endPromotion(of session: Session, with status: Status)

  /// Called when presence has ended a meeting that has sessions here.
  ///
  /// Notifies the other services again: requests in flight may have reached them after the first
  /// notice, from the operator's gateway.
  func meetingEnded(_ meeting: MeetingID, with status: Status)

  /// Writes the rosters that have changed into the record of meetings.
  func recordRosters()
}
