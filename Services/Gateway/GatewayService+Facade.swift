import Bus
import Logging
import MeetingModel
import ServiceHost
import Wire
import ZeroMQ

// Answers the calls that clients send over ZeroMQ.
extension GatewayService: AudioVideoFacadeServer {
  /// The code that carries out a call of a client that has a session.
  private typealias Act<Reply> =
    @Sendable (SessionCalls, GatewayClientSession) async throws -> Reply

  /// Answers a client's call with the result of `body` for the client's session.
  ///
  /// - Parameter method: The name of the call in logs. By default, this is the calling function.
  private func answer<Reply>(
    _ call: Call<Reply>, method: String = #function, _ body: @escaping Act<Reply>
  ) {
    let (route, traceparent) = (call.route, call.header.traceparent)
    call.perform { try await self.reply(at: route, (method, traceparent), body) }
  }

  private func reply<Reply>(
    at route: RoutingID, _ asked: (method: String, traceparent: String), _ body: Act<Reply>
  ) async throws -> Reply {
    guard let session = parts.context.sessions[route] else { throw ClientRequestFilter.notStarted }
    do {
      let reply = try await body(parts.calls, session)
      note(.ok, answering: asked, of: session)
      return reply
    } catch {
      note(Status(describing: error).code, answering: asked, of: session)
      throw error
    }
  }

  private func note(
    _ code: StatusCode, answering asked: (method: String, traceparent: String),
    of session: GatewayClientSession
  ) {
    parts.context.logger.step(
      "Answered a session's client", of: session.label(in: asked.traceparent),
      [
        LogMetadataKey.method: "\(asked.method.prefix { $0 != "(" })",
        LogMetadataKey.status: "\(code)",
      ])
  }

  // MARK: Start and end

  func start(_ request: V1.StartRequest, _ stream: ServerStream<V1.SessionEvents>) {
    stream.detach()  // The outbox sends all items and the session's end, without a call id.
    let route = stream.route
    // A second `Start` on a connection detaches the connection's former session. The second `Start`
    // may resume the former session.
    if let older = parts.context.sessions[route] { parts.calls.detach(older) }
    let traceparent = stream.header.traceparent
    tasks.start(.admit(route)) { await $0.admit(request, traceparent: traceparent, at: route) }
  }

  /// Admits a client. A newer Start on the same connection, or the end of the process, cancels the
  /// admission.
  private func admit(_ start: V1.StartRequest, traceparent: String, at route: RoutingID) async {
    guard let link = makeLink(to: route) else { return }
    do throws(Status) {
      let request = try SessionRequest(start, traceparent: traceparent)
      _ = try await parts.admission.admit(request, link, at: route)
    } catch {
      parts.admission.refuse(start.label(in: traceparent), link, with: error)
    }
  }

  /// Detaches the session of a connection that has closed, and cancels a pending admission.
  func depart(_ route: RoutingID) {
    tasks.cancel(.admit(route))
    if let session = parts.context.sessions[route] { parts.calls.detach(session) }
  }

  func stop(_ request: V1.StopRequest, _ call: Call<V1.StopReply>) {
    call.reply(V1.StopReply())
    tasks.cancel(.admit(call.route))  // This also cancels a `Start` that waits for admission.
    guard let session = parts.context.sessions[call.route] else { return }
    parts.calls.leave(session)
  }

  func keepAlive(_ request: V1.KeepAliveRequest, _ call: Call<V1.KeepAliveReply>) {
    if let session = parts.context.sessions[call.route] {
      session.link.acknowledge(request.receivedBytes)
      parts.calls.keepAlive(session)
    }
    call.reply(V1.KeepAliveReply(serverTimeMs: WallClock.nowMs))
  }

  // MARK: Calls in the meeting

  func setMuted(_ request: V1.SetMutedRequest, _ call: Call<V1.SetMutedReply>) {
    let traceparent = call.header.traceparent
    answer(call) { try await $0.setMuted(request.isMuted, of: $1, traceparent: traceparent) }
  }

  func sendDataMessage(
    _ request: V1.SendDataMessageRequest, _ call: Call<V1.SendDataMessageReply>
  ) {
    guard let session = parts.context.sessions[call.route] else {
      return call.fail(ClientRequestFilter.notStarted)
    }
    let (key, traceparent) = (call.header.idempotencyKey, call.header.traceparent)
    parts.calls.send(request, key: key, traceparent: traceparent, of: session) { call.answer($0) }
  }

  func publishVideo(_ request: V1.PublishVideoRequest, _ call: Call<V1.PublishVideoReply>) {
    answer(call) { try await $0.publish(request, by: $1) }
  }

  func unpublishVideo(_ request: V1.UnpublishVideoRequest, _ call: Call<V1.UnpublishVideoReply>) {
    answer(call) { try await $0.unpublish(request, by: $1) }
  }

  func setRemoteVideo(_ request: V1.SetRemoteVideoRequest, _ call: Call<V1.SetRemoteVideoReply>) {
    answer(call) { try await $0.setRemoteVideo(request, of: $1) }
  }

  func updateVideoSubscriptions(
    _ request: V1.UpdateVideoSubscriptionsRequest, _ call: Call<V1.UpdateVideoSubscriptionsReply>
  ) {
    answer(call) { try await $0.updateSubscriptions(request, of: $1) }
  }

  func setTilePaused(_ request: V1.SetTilePausedRequest, _ call: Call<V1.SetTilePausedReply>) {
    answer(call) { try await $0.setPaused(request, of: $1) }
  }

  func setVoiceFocus(_ request: V1.SetVoiceFocusRequest, _ call: Call<V1.SetVoiceFocusReply>) {
    answer(call) { try await $0.setVoiceFocus(request, of: $1) }
  }

  func setTranscriptLanguages(
    _ request: V1.SetTranscriptLanguagesRequest, _ call: Call<V1.SetTranscriptLanguagesReply>
  ) {
    answer(call) { try await $0.setTranscriptLanguages(request, of: $1) }
  }

  func getLimits(_ request: V1.GetLimitsRequest, _ call: Call<V1.Limits>) {
    call.reply(parts.keeper.limits)
  }

  // MARK: An audience

  func promoteToPrimaryMeeting(
    _ request: V1.PromoteToPrimaryMeetingRequest, _ call: Call<V1.PromoteToPrimaryMeetingReply>
  ) {
    answer(call) { try await $0.promote(request, $1) }
  }

  func demoteFromPrimaryMeeting(
    _ request: V1.DemoteFromPrimaryMeetingRequest, _ call: Call<V1.DemoteFromPrimaryMeetingReply>
  ) {
    answer(call) { await $0.demote($1) }
  }
}
