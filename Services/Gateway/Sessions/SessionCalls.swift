import Bus
import MeetingModel
import Wire

/// The calls of a client in its meeting. Each call has one function, which is independent of the
/// client's interface.
///
/// Exactly one service accepts or rejects a call. If a second service must apply this decision, the
/// gateway notifies the second service afterwards. `SessionCalls+Operator.swift` contains the calls
/// of operators. Only the gateway's socket thread uses this class.
final class SessionCalls {
  let services: ServiceConnectors
  let context: GatewayContext
  private let keeper: GatewaySessionManager
  private let promoter: Promoter

  init(
    _ services: ServiceConnectors, _ keeper: GatewaySessionManager, _ promoter: Promoter,
    in context: GatewayContext
  ) {
    (self.services, self.context) = (services, context)
    (self.keeper, self.promoter) = (keeper, promoter)
  }

  // MARK: The session

  /// Sends the skipped levels to a client that has read its waiting items.
  func keepAlive(_ session: GatewayClientSession) { services.roster.refreshLevels(of: session) }

  /// Ends the session of a client that leaves.
  func leave(_ session: GatewayClientSession) { keeper.end(session, nil, .byClient) }

  /// Detaches the session of a client after the loss of the client's connection. The client may
  /// resume.
  func detach(_ session: GatewayClientSession) { keeper.detach(session, because: nil) }

  /// Returns the last volumes and signal strengths of a meeting; `nil` if the gateway has received
  /// none yet.
  func levels(in meeting: MeetingID) -> ParticipantLevels? { services.roster.levels[meeting] }

  // MARK: Sound

  /// Mutes the client, or ends the client's own mute.
  ///
  /// `presence` decides. When this method returns, `media` has applied the change.
  ///
  /// - Throws: The errors of ``PresenceServiceConnector/setMuted(_:of:traceparent:)``. After an
  ///   error, the gateway does not notify `media`.
  @discardableResult func setMuted(
    _ isMuted: Bool, of session: GatewayClientSession, traceparent: String = ""
  ) async throws(Status) -> V1.SetMutedReply {
    let reply = try await services.roster.setMuted(isMuted, of: session, traceparent: traceparent)
    // A host may have muted the client since `presence` answered.
    await services.media.tell(
      .isMuted(session.isMutedByItself), of: session.actorID, in: session.sourceMeeting)
    return reply
  }

  /// Turns noise suppression of the client's uplink on or off.
  func setVoiceFocus(
    _ request: V1.SetVoiceFocusRequest, of session: GatewayClientSession
  ) async throws(Status) -> V1.SetVoiceFocusReply {
    try await services.media.setVoiceFocus(request, of: session)
  }

  /// Requests the answer of `media` to a browser's offer.
  func negotiate(
    _ request: V1.NegotiateRequest, of session: GatewayClientSession
  ) async throws(Status) -> (reply: V1.NegotiateReply, place: MediaInstanceRun) {
    try await services.media.negotiate(request, of: session)
  }

  /// Returns whether the gateway can reach the instance of `media` that answered a client's offer.
  func contact(with place: MediaInstanceRun, of session: GatewayClientSession) -> MediaReachability
  {
    services.media.contact(with: place, of: session)
  }

  // MARK: Messages and transcripts

  /// Sends a data message after the earlier messages of this client.
  ///
  /// - Parameters:
  ///   - key: The idempotency key of the client; empty if the client does not retry the message.
  ///   - answer: Called once, after the message is on disk or after its rejection.
  func send(
    _ request: V1.SendDataMessageRequest, key: String = "", traceparent: String = "",
    of session: GatewayClientSession,
    answer: @escaping (Result<V1.SendDataMessageReply, Status>) -> Void
  ) {
    services.messages.send(request, key: key, traceparent: traceparent, of: session, answer: answer)
  }

  /// Sets the language that the client reads, and the language that the client's attendee speaks.
  func setTranscriptLanguages(
    _ request: V1.SetTranscriptLanguagesRequest, of session: GatewayClientSession
  ) async throws(Status) -> V1.SetTranscriptLanguagesReply {
    try await services.transcripts.setLanguages(request, of: session)
  }

  // MARK: Video

  /// Publishes one video of the client.
  func publish(
    _ request: V1.PublishVideoRequest, by session: GatewayClientSession
  ) async throws(Status) -> V1.PublishVideoReply {
    try await services.tiles.publish(request, by: session)
  }

  /// Ends one published video of the client.
  func unpublish(
    _ request: V1.UnpublishVideoRequest, by session: GatewayClientSession
  ) async throws(Status) -> V1.UnpublishVideoReply {
    try await services.tiles.unpublish(request, by: session)
  }

  /// Starts or stops all video that the client receives.
  func setRemoteVideo(
    _ request: V1.SetRemoteVideoRequest, of session: GatewayClientSession
  ) async throws(Status) -> V1.SetRemoteVideoReply {
    try await services.tiles.setRemoteVideo(request, of: session)
  }

  /// Adds, changes and removes subscriptions of the client.
  func updateSubscriptions(
    _ request: V1.UpdateVideoSubscriptionsRequest, of session: GatewayClientSession
  ) async throws(Status) -> V1.UpdateVideoSubscriptionsReply {
    try await services.tiles.updateSubscriptions(request, of: session)
  }

  /// Pauses a tile for the client, or resumes it.
  func setPaused(
    _ request: V1.SetTilePausedRequest, of session: GatewayClientSession
  ) async throws(Status) -> V1.SetTilePausedReply {
    try await services.tiles.setPaused(request, of: session)
  }

  // MARK: An audience

  /// Makes a replica's session an attendee of the primary; see ``Promoter``.
  func promote(
    _ request: V1.PromoteToPrimaryMeetingRequest, _ session: GatewayClientSession
  ) async throws(Status) -> V1.PromoteToPrimaryMeetingReply {
    try await promoter.promote(request, session)
  }

  /// Ends the promotion of a session, so the session is only in its replica again. When this method
  /// returns, no attendee hears the session any more.
  func demote(_ session: GatewayClientSession) async -> V1.DemoteFromPrimaryMeetingReply {
    V1.DemoteFromPrimaryMeetingReply(wasPromoted: await promoter.demote(session))
  }
}
