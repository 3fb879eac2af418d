import Bus
import MeetingModel
import Wire

/// Makes the sessions of one gateway from clients' requests and the store's records.
final class GatewaySessionFactory {
  private let context: GatewayContext
  private let flushing: SessionsToFlush
  private var lastNumber: UInt64 = 0

  /// - Parameter flushing: The queue to which a session adds itself when the session has items for
  ///   its client.
  init(flushing: SessionsToFlush, in context: GatewayContext) {
    (self.flushing, self.context) = (flushing, context)
  }

  /// Makes a session with a new number. The caller adds the session to the table of sessions.
  func make(
    _ request: SessionRequest, _ meeting: Meeting, _ attendee: Attendee, _ link: any ClientLink,
    at route: RoutingID?
  ) -> GatewayClientSession {
    lastNumber += 1
    let id = sessionID(for: request)
    let record = V1.GatewaySession(
      meetingID: meeting.id.text, participantID: request.participant.text,
      externalUserID: attendee.externalUserID.text, sessionID: id.bytes,
      capabilities: V1.Capabilities(attendee.capabilities), isMuted: request.isMuted,
      isMutedByOperator: attendee.isMutedByOperator,
      capacity: UInt32(clamping: meeting.features.maxAttendees),
      primaryMeetingID: meeting.primaryID?.text ?? "", openedAtMs: WallClock.nowMs,
      isLocked: meeting.isLocked, isMuteUnknown: request.isMuteUnknown,
      displayName: attendee.displayName?.text ?? "")
    return GatewayClientSession(
      SessionNumber(value: lastNumber), id: id, record: record, meeting: meeting.id,
      opening: OpeningSession(request: request), link: link, route: route,
      requests: TokenBucket(context.settings.requestRate, now: context.now), flushing: flushing,
      now: context.now)
  }

  /// Returns the session id that the client requests. If another participant at this gateway has
  /// this id, returns a new id.
  private func sessionID(for request: SessionRequest) -> SessionID {
    guard let resumed = request.resumed ?? request.named else { return .random() }
    if let held = context.sessions[resumed],
      held.participant != request.participant || held.meeting != request.meeting
    {
      return .random()
    }
    return resumed
  }
}
