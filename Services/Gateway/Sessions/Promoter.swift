import Logging
import MeetingModel
import ServiceHost
import Storage
import Wire

/// Promotes sessions of replicas into their primary meetings, and demotes these sessions.
///
/// The store checks the credentials, and `presence` decides whether the primary has a free place.
/// Then the gateway notifies `media`, `video-tiles` and `transcription`. ``Promotion`` is the state
/// machine. Each service receives the changes of one session in order. The gateway repeats each
/// change until the service has answered.
final class Promoter {
  private let context: GatewayContext
  private let services: ServiceConnectors

  init(_ services: ServiceConnectors, in context: GatewayContext) {
    (self.services, self.context) = (services, context)
  }

  // MARK: Promotion

  /// Makes a replica's session an attendee of the primary.
  ///
  /// If the session is already promoted as the requested attendee, the client gets the same answer
  /// again. If the session is promoted as another attendee, the gateway first demotes the session.
  ///
  /// - Throws: Always a status with one of these session statuses: `audioAuthenticationRejected` if
  ///   the credentials do not belong to an attendee of the primary, or if there is no primary;
  ///   `audioCallAtCapacity`; `audioServiceUnavailable` if `presence` or `media` does not answer;
  ///   `audioInternalServerError` for any other error.
  func promote(
    _ request: V1.PromoteToPrimaryMeetingRequest, _ session: GatewayClientSession
  ) async throws(Status) -> V1.PromoteToPrimaryMeetingReply {
    do throws(Status) {
      let reply = try await attempt(request, session)
      context.metrics.promotions[.promoted].increment()
      return reply
    } catch {
      let status = error.ofPromotion
      context.metrics.promotions[PromotionOutcome(status)].increment()
      context.logger.info(
        "Refused a promotion",
        metadata: [
          LogMetadataKey.meeting: "\(session.meeting)", LogMetadataKey.status: "\(status.code)",
        ])
      throw status
    }
  }

  private func attempt(
    _ request: V1.PromoteToPrimaryMeetingRequest, _ session: GatewayClientSession
  ) async throws(Status) -> V1.PromoteToPrimaryMeetingReply {
    guard session.isReplica, !session.participant.isContent else { throw Self.notInReplica }
    let wish = session.promotion.wish
    let record = try await admitted(request, to: session)
    guard context.sessions[session.number] === session, session.promotion.stands(wish) else {
      throw Self.givenUp
    }
    guard let former = session.promotion.record else {
      return try await promote(session, as: record)
    }
    if former.participantID == record.participantID { return reply(former, nil) }
    await demote(session, as: .demoted)
    do throws(Status) {
      guard session.promotion.stands(wish.afterItsOwnEnd) else { throw Self.givenUp }
      return try await promote(session, as: record)
    } catch {
      // The client requested a new promotion, but did not request the end of its present promotion.
      // So the client gets an event about this end.
      tellDemoted(session, former, error)
      throw error
    }
  }

  private func promote(
    _ session: GatewayClientSession, as record: V1.GatewaySession
  ) async throws(Status) -> V1.PromoteToPrimaryMeetingReply {
    guard let attempt = session.promotion.begin() else { throw Self.underWay }
    var record = record
    record.isMuted = session.isMutedByItself
    record.isMuteUnknown = session.record.isMuteUnknown
    do throws(Status) {
      try await services.roster.promote(session, as: record)
    } catch {
      session.promotion.fail(attempt)
      // `presence` may still carry out the promotion later, so the gateway requests the end of this
      // promotion.
      if error.isTransient { services.roster.demote(session, as: .demoted) }
      throw error
    }
    guard session.promotion.succeed(attempt, as: record) else {
      services.roster.demote(session, as: .demoted)
      throw Self.givenUp
    }
    return try await begin(session)
  }

  /// Notifies the other services after `presence` has agreed.
  private func begin(
    _ session: GatewayClientSession
  ) async throws(Status) -> V1.PromoteToPrimaryMeetingReply {
    // The client may have changed its mute before `presence` answered.
    if let record = session.promotion.record,
      record.isMuted != session.isMutedByItself
        || record.isMuteUnknown != session.record.isMuteUnknown
    {
      _ = try await services.roster.setMuted(session.isMutedByItself, of: session, traceparent: "")
    }
    services.transcripts.tellChoices(of: session)
    let (refusal, camera) = await tellMediaAndTiles(session)
    guard let record = session.promotion.record else { throw Self.givenUp }
    if let refusal {
      await demote(session, as: .demoted)
      throw refusal
    }
    return reply(record, camera)
  }

  /// Notifies `media` and `video-tiles` at the same time.
  ///
  /// If `video-tiles` has not admitted the session yet, the session's later join contains the
  /// promotion.
  private func tellMediaAndTiles(
    _ session: GatewayClientSession
  ) async -> (media: Status?, camera: V1.CameraAvailabilityChanged?) {
    var camera: V1.CameraAvailabilityChanged?
    var refusal: Status?
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      var waiting = 2
      func answered() {
        waiting -= 1
        if waiting == 0 { continuation.resume() }
      }
      services.media.promote(session) { status in
        refusal = status
        answered()
      }
      services.tiles.promote(session) { answer in
        camera = answer
        answered()
      }
    }
    return (refusal, camera)
  }

  private func reply(
    _ record: V1.GatewaySession, _ camera: V1.CameraAvailabilityChanged?
  ) -> V1.PromoteToPrimaryMeetingReply {
    V1.PromoteToPrimaryMeetingReply(
      attendee: record.attendee, capabilities: record.capabilities, camera: camera)
  }

  /// Checks the credentials, and returns the attendee's record for `presence`.
  private func admitted(
    _ request: V1.PromoteToPrimaryMeetingRequest, to session: GatewayClientSession
  ) async throws(Status) -> V1.GatewaySession {
    let credentials = try SessionCredentials(
      meetingID: session.sourceMeeting.text, attendeeID: request.attendeeID,
      joinToken: request.joinToken)
    guard !credentials.participant.isContent else { throw SessionCredentials.refused }
    let (meeting, attendee) = try await credentials.admitted(by: context.store)
    guard request.externalUserID.isEmpty || request.externalUserID == attendee.externalUserID.text
    else { throw SessionCredentials.refused }
    return V1.GatewaySession(
      meetingID: meeting.id.text, participantID: credentials.participant.text,
      externalUserID: attendee.externalUserID.text, sessionID: session.id.bytes,
      capabilities: V1.Capabilities(attendee.capabilities),
      isMutedByOperator: attendee.isMutedByOperator,
      capacity: UInt32(clamping: meeting.features.maxAttendees), isPromoted: true,
      openedAtMs: WallClock.nowMs, isLocked: meeting.isLocked,
      displayName: attendee.displayName?.text ?? "")
  }

  // MARK: Demotion

  /// Ends the promotion of a session at the request of the session's client. The session is then
  /// only in its replica again.
  ///
  /// When this method returns, no attendee hears the session any more.
  ///
  /// - Returns: Whether the session was promoted.
  func demote(_ session: GatewayClientSession) async -> Bool {
    await demote(session, as: .demoted)
  }

  /// Ends the promotion of a session after the loss of the session's connection, or after the
  /// session's end.
  func leave(_ session: GatewayClientSession, as reason: V1.PresenceReason) {
    guard end(session, as: reason) else { return }
    services.media.demote(session)
  }

  /// Ends a promotion that `presence` has ended, and informs the client once.
  func endedByPresence(_ session: GatewayClientSession, with status: Status) {
    guard let record = session.promotion.record else {
      _ = session.promotion.end()
      return
    }
    leave(session, as: .demoted)
    tellDemoted(session, record, status)
  }

  private func tellDemoted(
    _ session: GatewayClientSession, _ record: V1.GatewaySession, _ status: Status
  ) {
    let isDeleted = status.reason == .attendeeDeleted
    let told = Status(
      status.code, status.message,
      session: isDeleted ? .audioAuthenticationRejected : .audioInternalServerError,
      reason: status.reason)
    session.queue(
      .demotedFromPrimaryMeeting(
        V1.DemotedFromPrimaryMeeting(status: V1.Status(told), attendee: record.attendee)))
    context.metrics.demotions.increment()
  }

  @discardableResult
  private func demote(_ session: GatewayClientSession, as reason: V1.PresenceReason) async -> Bool {
    guard end(session, as: reason) else { return false }
    await withCheckedContinuation { continuation in
      let once = OneTimeClosure { continuation.resume() }
      services.media.demote(session) { once.run() }
      // If `media` does not answer in time, it may have stalled. After a stall, `media` forwards
      // nothing until it has received the demotion. So the caller need not wait for longer than the
      // timeout.
      context.after(MediaServiceConnector.timeout) { once.run() }
    }
    return true
  }

  /// Ends a promotion, and notifies all services except `media`.
  ///
  /// - Returns: Whether the session was promoted.
  private func end(_ session: GatewayClientSession, as reason: V1.PresenceReason) -> Bool {
    guard session.promotion.end() != nil else { return false }
    // The videos that the client published as the primary's attendee have ended. Resuming the
    // session does not restore these videos.
    session.choices.published = []
    services.messages.withdrawWaiting(of: session)
    services.transcripts.tellChoices(of: session)
    services.tiles.demote(session)
    services.roster.demote(session, as: reason)
    return true
  }

  // MARK: Refusals

  private static let notInReplica = Status(
    .permissionDenied,
    """
    This meeting is not a replica, so its attendees cannot be promoted; join the primary meeting \
    itself.
    """,
    session: .audioAuthenticationRejected)

  private static let underWay = Status(
    .failedPrecondition,
    "Another promotion of this session has no answer yet; wait for that answer.",
    session: .audioInternalServerError)

  private static let givenUp = Status(
    .aborted, "The promotion ended before it was complete; request it again.",
    session: .audioInternalServerError)
}

extension Status {
  /// This error, converted to a status that observers of promotions can interpret.
  ///
  /// If the primary rejects a client's credentials, the client's session continues. So the code is
  /// not `unauthenticated`, because this code would end the session.
  fileprivate var ofPromotion: Status {
    let known: [SessionStatusCode] = [
      .audioAuthenticationRejected, .audioCallAtCapacity, .audioServiceUnavailable,
      .audioInternalServerError,
    ]
    if let sessionStatus, known.contains(sessionStatus) {
      let isRefused = code == .unauthenticated
      return Status(
        isRefused ? .permissionDenied : code, message, session: sessionStatus, reason: reason)
    }
    return Status(
      code, message, session: isTransient ? .audioServiceUnavailable : .audioInternalServerError,
      reason: reason)
  }
}

/// The outcome of a client's request for promotion.
enum PromotionOutcome: String, MetricLabel {
  static let labelName = "outcome"

  case promoted
  case rejected
  case full
  case unavailable
  case failed

  init(_ status: Status) {
    switch status.sessionStatus {
    case .audioAuthenticationRejected: self = .rejected
    case .audioCallAtCapacity: self = .full
    case .audioServiceUnavailable: self = .unavailable
    default: self = .failed
    }
  }
}
