import Bus
import MeetingModel
import ServiceHost
import Wire
import ZeroMQ

// The ZeroMQ face: what arrives from clients' sockets. Session logic is in GatewayService+Sessions.
extension GatewayService: AudioVideoFacadeServer {
  /// Every call but Start and GetLimits needs the session of its own connection.
  func refusal(of header: V1.RequestHeader, _ route: Route, _ method: MethodDescription) -> Status?
  {
    let session = sessions[route]
    if method.key == V1.AudioVideoFacadeMethods.start.key
      || method.key == V1.AudioVideoFacadeMethods.getLimits.key
    {
      guard session == nil else { return spend(on: session) }
      return strangers.admit(route, now: thread.now) ? nil : Self.flooding
    }
    guard let session, let id = SessionID(bytes: header.sessionID), id == session.id else {
      return Status(
        .unauthenticated, "Call Start on this connection first.",
        session: .audioAuthenticationRejected, reason: .badCredentials)
    }
    session.lastHeard = thread.now
    return spend(on: session)
  }

  private func spend(on session: Session?) -> Status? {
    guard let session, !session.requests.take(now: thread.now) else { return nil }
    metrics.flooding.increment()
    end(session, Self.flooding, .byClient)
    return Self.flooding
  }

  private static let flooding = Status(
    .resourceExhausted, "Too many requests; slow down.", session: .audioServerHungup,
    reason: .flooding)

  func start(_ request: V1.StartRequest, _ stream: ServerStream<V1.SessionEvents>) {
    stream.detach()  // A session's items and its end carry no call id; its outbox sends them.
    if let older = sessions[stream.route] {
      // The same connection starts again: what went before on it is lost, unless this resumes it.
      detach(older, because: nil)
    }
    let (route, traceparent) = (stream.route, stream.header.traceparent)
    opening[route]?.cancel()
    opening[route] = Task(executorPreference: thread) {
      await self.open(request, traceparent: traceparent, at: route)
    }
  }

  /// The link to whoever is at the other end of a connection of the ZeroMQ face.
  func makeLink(to route: Route) -> SessionOutbox? {
    clientServer.map { SessionOutbox(to: route, of: $0, budget: settings.clientBudgetBytes) }
  }

  func stop(_ request: V1.StopRequest, _ call: Call<V1.StopReply>) {
    call.reply(V1.StopReply())
    guard let session = sessions[call.route] else { return }
    _ = session.link.flush()
    end(session, nil, .byClient)
  }

  func keepAlive(_ request: V1.KeepAliveRequest, _ call: Call<V1.KeepAliveReply>) {
    if let session = sessions[call.route] {
      session.link.acknowledge(request.receivedBytes)
      rosters[session.meeting]?.refreshLevels(of: session)
    }
    call.reply(V1.KeepAliveReply(serverTimeMs: WallClock.nowMilliseconds))
  }

  func setMuted(_ request: V1.SetLocalMutedRequest, _ call: Call<V1.SetMutedReply>) {
    guard let session = sessions[call.route] else { return call.fail(Self.presenceIsAway) }
    session.record.isMuted = request.isMuted
    let (id, traceparent) = (session.id, call.header.traceparent)
    call.perform { try await self.tellMuted(request.isMuted, of: id, traceparent) }
  }

  /// Asks presence, and again while it restarts: whose term it is, is no matter of clients.
  private func tellMuted(
    _ isMuted: Bool, of id: SessionID, _ traceparent: String
  ) async throws(Status) -> V1.SetMutedReply {
    let deadline = thread.now + settings.joinPatience
    while true {
      let status: Status
      do throws(Status) {
        guard let session = sessions[id], let owner = presence.owner(of: session.meeting) else {
          throw Self.presenceIsAway
        }
        try await tellMedia(
          .isMuted(isMuted), of: session.participant, in: session.boardMeeting)
        let change = V1.SetMutedRequest(
          meetingID: session.meeting.text, sessionID: id.bytes, isMuted: isMuted)
        let options = CallOptions(
          timeout: .seconds(2), term: owner.term, traceparent: traceparent)
        return try await owner.client.setMuted(change, options: options)
      } catch {
        status = error
      }
      guard status.isWorthRepeating, thread.now < deadline else { throw status }
      do { try await Task.sleep(for: .milliseconds(100)) } catch { throw status }
      // A newer wish of the client must not be followed by this one.
      guard sessions[id]?.record.isMuted == isMuted else { throw status }
    }
  }

  func getLimits(_ request: V1.GetLimitsRequest, _ call: Call<V1.Limits>) {
    call.reply(limits)
  }

  /// The limits in force: this gateway's, and what the services last said of theirs.
  var limits: V1.Limits {
    var limits = settings.wireLimits
    for other in serviceLimits.values { limits.merge(other) }
    return limits
  }

  /// Presence may have been restarted with other flags.
  func learnPresenceLimits(from instance: String) {
    presence[instance]?.client.getLimits(V1.GetLimitsRequest()) { [unowned self] result in
      guard case .success(let limits) = result else { return }
      assumeIsolated { $0.serviceLimits["presence"] = limits }
    }
  }

  static let presenceIsAway = Status(
    .unavailable, "The presence service does not answer; try again.",
    session: .audioServiceUnavailable)
}
