import Bus
import MeetingModel
import Wire

/// What a part of the gateway asks of parts that are made after it, and of the gateway's tasks.
protocol GatewayCoordinator: AnyObject {
  /// Announces this gateway's sessions to an instance of a service, from the beginning.
  func announce(_ service: ServiceID, to instance: String)

  /// A service must take a session in once more: the service forgot it, or the client lacks
  /// something of its stream.
  func sessionLacks(_ session: SessionNumber, _ service: ServiceID)

  /// Starts a task that asks a service to take a session in.
  func take(_ attempt: SessionLedger.Attempt)

  /// Cancels the task that asks a service to take a session in.
  func giveUp(_ session: SessionNumber, _ service: ServiceID)

  /// Ends a session for good.
  func end(_ session: Session, _ status: Status?, _ ending: SessionEnding)

  /// A session is lost or over. The services and other clients have not heard of it yet.
  func willRemove(_ session: Session, as reason: V1.PresenceReason)

  /// Presence has given up a session that reads the messages of a meeting.
  func sessionLost(_ session: SessionID, in meeting: MeetingID)

  /// Presence has ended a session's promotion; the session goes on watching.
  func endPromotion(of session: Session, with status: Status)

  /// Presence has ended a meeting that has sessions here. Requests that were under way to other
  /// services may have arrived after the end of which the operator's gateway told them.
  func meetingEnded(_ meeting: MeetingID, with status: Status)

  /// Writes the rosters that have changed into the record of meetings.
  func recordRosters()
}
