import MeetingModel
import Wire

@testable import Gateway

/// A coordinator that receives the connectors' requests to other parts of the gateway. The test
/// sets the effects of the requests, or reads the recorded requests.
final class ScriptedCoordinator: GatewayCoordinator {
  var onAnnounce: (ServiceID, _ instance: String) -> Void = { _, _ in }
  var onLack: (SessionNumber, ServiceID) -> Void = { _, _ in }
  var onRecord: () -> Void = {}
  var onEnd: (GatewayClientSession, Status?, SessionEndInitiator) -> Void = { _, _, _ in }
  var onSessionLost: (SessionID, MeetingID) -> Void = { _, _ in }
  var onMeetingEnded: (MeetingID, Status) -> Void = { _, _ in }
  var onHostMute: (GatewayClientSession) -> Void = { _ in }
  private var attempts: [SessionAdmissionTracker.ServiceRequest] = []

  /// Returns the gateway's attempts to add sessions to services, since the last call of this
  /// method.
  func takeAttempts() -> [SessionAdmissionTracker.ServiceRequest] {
    defer { attempts = [] }
    return attempts
  }

  func announce(_ service: ServiceID, to instance: String) { onAnnounce(service, instance) }

  func sessionLacks(_ session: SessionNumber, _ service: ServiceID) { onLack(session, service) }

  func take(_ attempt: SessionAdmissionTracker.ServiceRequest) { attempts.append(attempt) }

  func giveUp(_ session: SessionNumber, _ service: ServiceID) {}

  func end(_ session: GatewayClientSession, _ status: Status?, _ ending: SessionEndInitiator) {
    onEnd(session, status, ending)
  }

  func willRemove(_ session: GatewayClientSession, as reason: V1.PresenceReason) {}

  func sessionLost(_ session: SessionID, in meeting: MeetingID) { onSessionLost(session, meeting) }

  func endPromotion(of session: GatewayClientSession, with status: Status) {}

  func mutedByHost(_ session: GatewayClientSession) { onHostMute(session) }

  func meetingEnded(_ meeting: MeetingID, with status: Status) { onMeetingEnded(meeting, status) }

  func recordRosters() { onRecord() }
}
