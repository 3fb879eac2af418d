import Bus
import Logging
import MeetingModel
import ServiceHost
import Storage
import Wire
import ZeroMQ

// The ZeroMQ face: what arrives from clients' sockets.
extension GatewayService: AudioVideoFacadeServer {
  /// Answers a call of a client by what `body` finds for its session.
  ///
  /// - Parameter method: What logs call it: the function that asks.
  private func answer<Reply>(
    _ call: Call<Reply>, method: String = #function,
    _ body: @escaping @Sendable (isolated GatewayService, Session) async throws -> Reply
  ) {
    let (route, traceparent) = (call.route, call.header.traceparent)
    call.perform { try await self.reply(at: route, (method, traceparent), body) }
  }

  private func reply<Reply>(
    at route: Route, _ asked: (method: String, traceparent: String),
    _ body: (isolated GatewayService, Session) async throws -> Reply
  ) async throws -> Reply {
    guard let session = context.sessions[route] else { throw Gatekeeper.notStarted }
    do {
      let reply = try await body(self, session)
      note(.ok, answering: asked, of: session)
      return reply
    } catch {
      note(Status(describing: error).code, answering: asked, of: session)
      throw error
    }
  }

  private func note(
    _ code: StatusCode, answering asked: (method: String, traceparent: String), of session: Session
  ) {
    context.logger.step(
      "Answered a session's client", of: session.label(in: asked.traceparent),
      [
        LogKey.method: "\(asked.method.prefix { $0 != "(" })", LogKey.status: "\(code)",
      ])
  }

  // MARK: A session's life

  func start(_ request: V1.StartRequest, _ stream: ServerStream<V1.SessionEvents>) {
    stream.detach()  // A session's items and its end carry no call id; its outbox sends them.
    let route = stream.route
    // The same connection starts again: what went before on it is lost, unless this resumes it.
    if let older = context.sessions[route] { keeper.detach(older, because: nil) }
    let traceparent = stream.header.traceparent
    start(.admit(route)) { await $0.admit(request, traceparent: traceparent, at: route) }
  }

  /// Credentials first; then the session is opened.
  private func admit(_ request: V1.StartRequest, traceparent: String, at route: Route) async {
    guard let link = makeLink(to: route) else { return }
    context.admissions += 1
    defer { context.admissions -= 1 }
    do throws(Status) {
      let opening = try SessionRequest(request, traceparent: traceparent)
      var (meeting, attendee) = try await opening.admitted(by: store)
      let (turn, hasWaited) = try await turns.next()
      var isOpening = false
      defer { if !isOpening { turns.end(turn) } }
      // Meanwhile the attendee may have been deleted, or its meeting.
      if hasWaited { (meeting, attendee) = try await opening.admitted(by: store) }
      // A newer Start of the same connection, or the end of this process, took its place.
      guard !Task.isCancelled else { return }
      isOpening = true
      keeper.open(opening, meeting, attendee, link, at: route, in: turn)
    } catch {
      keeper.note(
        error,
        refusing: SessionLabel(
          SessionID(bytes: request.sessionID), of: try? ParticipantID(request.attendeeID),
          in: try? MeetingID(request.meetingID), traceparent: traceparent))
      link.end(V1.Status(error))
    }
  }

  /// A client's connection is no more.
  func depart(_ route: Route) {
    cancel(.admit(route))
    if let session = context.sessions[route] { keeper.detach(session, because: nil) }
  }

  func stop(_ request: V1.StopRequest, _ call: Call<V1.StopReply>) {
    call.reply(V1.StopReply())
    cancel(.admit(call.route))  // A Start that is not admitted yet is given up as well.
    guard let session = context.sessions[call.route] else { return }
    keeper.end(session, nil, .byClient)
  }

  func keepAlive(_ request: V1.KeepAliveRequest, _ call: Call<V1.KeepAliveReply>) {
    if let session = context.sessions[call.route] {
      session.link.acknowledge(request.receivedBytes)
      roster.refreshLevels(of: session)
    }
    call.reply(V1.KeepAliveReply(serverTimeMs: WallClock.nowMs))
  }

  // MARK: What a client does in its meeting

  /// Presence decides; what it has decided, media carries out before the client is answered.
  func setMuted(_ request: V1.SetMutedRequest, _ call: Call<V1.SetMutedReply>) {
    let traceparent = call.header.traceparent
    answer(call) { gateway, session in
      let reply = try await gateway.roster.setMuted(
        request.isMuted, of: session, traceparent: traceparent)
      await gateway.media.tell(
        .isMuted(request.isMuted), of: session.actorID, in: session.sourceMeeting)
      return reply
    }
  }

  func sendDataMessage(
    _ request: V1.SendDataMessageRequest, _ call: Call<V1.SendDataMessageReply>
  ) {
    guard let session = context.sessions[call.route] else {
      return call.fail(Gatekeeper.notStarted)
    }
    messages.send(request, call, of: session)
  }

  func publishVideo(_ request: V1.PublishVideoRequest, _ call: Call<V1.PublishVideoReply>) {
    answer(call) { try await $0.tiles.publish(request, by: $1) }
  }

  func unpublishVideo(_ request: V1.UnpublishVideoRequest, _ call: Call<V1.UnpublishVideoReply>) {
    answer(call) { try await $0.tiles.unpublish(request, by: $1) }
  }

  func setRemoteVideo(_ request: V1.SetRemoteVideoRequest, _ call: Call<V1.SetRemoteVideoReply>) {
    answer(call) { try await $0.tiles.setRemoteVideo(request, of: $1) }
  }

  func updateVideoSubscriptions(
    _ request: V1.UpdateVideoSubscriptionsRequest, _ call: Call<V1.UpdateVideoSubscriptionsReply>
  ) {
    answer(call) { try await $0.tiles.updateSubscriptions(request, of: $1) }
  }

  func setTilePaused(_ request: V1.SetTilePausedRequest, _ call: Call<V1.SetTilePausedReply>) {
    answer(call) { try await $0.tiles.setPaused(request, of: $1) }
  }

  func setVoiceFocus(_ request: V1.SetVoiceFocusRequest, _ call: Call<V1.SetVoiceFocusReply>) {
    answer(call) { try await $0.media.setVoiceFocus(request, of: $1) }
  }

  func setTranscriptLanguages(
    _ request: V1.SetTranscriptLanguagesRequest, _ call: Call<V1.SetTranscriptLanguagesReply>
  ) {
    answer(call) { try await $0.transcripts.setLanguages(request, of: $1) }
  }

  func getLimits(_ request: V1.GetLimitsRequest, _ call: Call<V1.Limits>) {
    call.reply(keeper.limits)
  }

  // MARK: An audience

  func promoteToPrimaryMeeting(
    _ request: V1.PromoteToPrimaryMeetingRequest, _ call: Call<V1.PromoteToPrimaryMeetingReply>
  ) {
    answer(call) { try await $0.promoter.promote(request, $1) }
  }

  func demoteFromPrimaryMeeting(
    _ request: V1.DemoteFromPrimaryMeetingRequest, _ call: Call<V1.DemoteFromPrimaryMeetingReply>
  ) {
    answer(call) {
      V1.DemoteFromPrimaryMeetingReply(wasPromoted: await $0.promoter.demote($1))
    }
  }
}
