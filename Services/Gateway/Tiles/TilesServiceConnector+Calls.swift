import Bus
import MeetingModel
import Wire

// Sends clients' choices about video to `video-tiles`, which accepts or rejects each choice. The
// gateway keeps an accepted choice, and announces the choice again when `video-tiles` has a new
// term.
extension TilesServiceConnector {
  func publish(
    _ request: V1.PublishVideoRequest, by session: GatewayClientSession
  ) async throws(Status) -> V1.PublishVideoReply {
    try await onBoard(session) { meeting, client, options throws(Status) in
      let publisher = session.actorID
      // A former owner may have published the video although the client never received the answer.
      let known = session.choices.published.first { $0.kind == request.video?.kind }
      let reply = try await client.publishVideo(
        V1.PublishVideoRequest(
          meetingID: meeting.text, sessionID: session.id.bytes,
          video: request.video?.claiming(known)),
        options: options)
      // The source has ended if the session no longer acts as the attendee who published the
      // source.
      if let video = reply.video, session.actorID == publisher {
        session.choices.published.removeAll { $0.kind == video.kind }
        session.choices.published.append(video)
      }
      return reply
    }
  }

  func unpublish(
    _ request: V1.UnpublishVideoRequest, by session: GatewayClientSession
  ) async throws(Status) -> V1.UnpublishVideoReply {
    try await onBoard(session) { meeting, client, options throws(Status) in
      session.choices.published.removeAll { $0.kind == request.kind }
      return try await client.unpublishVideo(
        V1.UnpublishVideoRequest(
          meetingID: meeting.text, sessionID: session.id.bytes, kind: request.kind),
        options: options)
    }
  }

  func setRemoteVideo(
    _ request: V1.SetRemoteVideoRequest, of session: GatewayClientSession
  ) async throws(Status) -> V1.SetRemoteVideoReply {
    try await onBoard(session) { meeting, client, options throws(Status) in
      let reply = try await client.setRemoteVideo(
        V1.SetRemoteVideoRequest(
          meetingID: meeting.text, sessionID: session.id.bytes, isReceiving: request.isReceiving,
          canDecode: request.canDecode),
        options: options)
      session.choices.isReceiving = request.isReceiving
      if !request.canDecode.isEmpty { session.choices.canDecode = request.canDecode }
      return reply
    }
  }

  func updateSubscriptions(
    _ request: V1.UpdateVideoSubscriptionsRequest, of session: GatewayClientSession
  ) async throws(Status) -> V1.UpdateVideoSubscriptionsReply {
    try await onBoard(session) { meeting, client, options throws(Status) in
      let reply = try await client.updateVideoSubscriptions(
        V1.UpdateVideoSubscriptionsRequest(
          meetingID: meeting.text, sessionID: session.id.bytes,
          addedOrUpdated: request.addedOrUpdated, removed: request.removed),
        options: options)
      session.choices.subscriptions = reply.subscriptions
      return reply
    }
  }

  func setPaused(
    _ request: V1.SetTilePausedRequest, of session: GatewayClientSession
  ) async throws(Status) -> V1.SetTilePausedReply {
    try await onBoard(session) { meeting, client, options throws(Status) in
      let reply = try await client.setTilePaused(
        V1.SetTilePausedRequest(
          meetingID: meeting.text, sessionID: session.id.bytes, tileID: request.tileID,
          isPaused: request.isPaused),
        options: options)
      session.choices.pausedTileIDs.removeAll { $0 == request.tileID }
      if request.isPaused { session.choices.pausedTileIDs.append(request.tileID) }
      return reply
    }
  }

  /// Lets a promoted session publish as the attendee of the primary.
  ///
  /// If the owner does not answer, the next announcement contains the promotion. A promotion also
  /// succeeds without video.
  ///
  /// - Parameter then: Receives whether the session can publish its camera; `nil` if `video-tiles`
  ///   does not answer.
  func promote(
    _ session: GatewayClientSession, then: @escaping (V1.CameraAvailabilityChanged?) -> Void
  ) {
    guard let record = session.promotion.record else { return then(nil) }
    let request = V1.PromoteRequest(
      sessionID: session.id.bytes, replicaMeetingID: session.meeting.text, primary: record,
      gateway: context.settings.instance, gatewayRun: context.run)
    var camera: V1.CameraAvailabilityChanged?
    follower.notices.add(
      .session(session.id, in: session.sourceMeeting), timeout: Self.longestPromotion,
      while: { session.promotion.record != nil }, then: { _ in then(camera) }
    ) { client, options, then in
      client.promote(request, options: options) { result in
        camera = (try? result.get())?.camera
        then(result.failure)
      }
    }
  }

  /// Ends a promotion.
  ///
  /// Afterwards, the session only watches. The session's sources end.
  func demote(_ session: GatewayClientSession) {
    let (id, meeting) = (session.id, session.sourceMeeting)
    let request = V1.DemoteRequest(
      primaryMeetingID: meeting.text, sessionID: id.bytes, gateway: context.settings.instance)
    follower.notices.add(
      .session(id, in: meeting),
      while: { [unowned context] in context.sessions.isUnpromoted(id) }
    ) { client, options, then in
      client.demote(request, options: options) { then($0.failure) }
    }
  }

  /// The maximum time that a promotion waits for `video-tiles`.
  private static let longestPromotion = Duration.seconds(1)

  /// Calls the owner of the session's tile board, and retries while the owner restarts.
  private func onBoard<Reply>(
    _ session: GatewayClientSession,
    _ ask: (MeetingID, VideoTilesClient, CallOptions) async throws(Status) -> Reply
  ) async throws(Status) -> Reply {
    try await context.callRetry.run(on: context.thread) { () async throws(Status) in
      // A session that is not on the tile board has not been admitted by `video-tiles` yet.
      guard context.sessions[session.number] != nil, session.cursors[.tiles] != nil else {
        throw Self.away
      }
      let meeting = session.sourceMeeting
      return try await follower.change(meeting) { owner throws(Status) in
        let options = CallOptions(timeout: .seconds(2), term: owner.term)
        return try await ask(meeting, owner.client, options)
      }
    }
  }
}

extension V1.PublishedVideo {
  /// Returns a copy of this video in which the ids of `known` replace missing ids.
  fileprivate func claiming(_ known: V1.PublishedVideo?) -> V1.PublishedVideo {
    guard let known else { return self }
    var video = self
    if tileID == 0 { video.tileID = known.tileID }
    if trackSSRC == 0 { video.trackSSRC = known.trackSSRC }
    for (rank, layer) in known.layers.prefix(layers.count).enumerated() where layers[rank].ssrc == 0
    {
      video.layers[rank].ssrc = layer.ssrc
    }
    return video
  }
}
