import Bus
import MeetingModel
import Ownership
import Wire

/// Answers requests: each method reads its request, calls ``TileBoards`` for the decision, and
/// answers.
extension VideoTilesService: VideoTilesServer {
  // MARK: Sessions

  func join(_ request: V1.JoinTilesRequest, _ call: Call<V1.JoinTilesReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      let (meeting, session) = try AnnouncedSession.read(request.session)
      try require(meeting)
      let arrival: SessionArrival = request.isResume ? .resume : .start
      let join = { [self] in
        try decide {
          try $0.join(
            session, in: meeting, through: gateway, run: request.gatewayRun, as: arrival, at: $1)
        }
      }
      // Recovery waits for sessions that were present before the restart, so these sessions join at
      // once. New sessions wait for the end of recovery, because limits apply to them. During
      // recovery, the service does not know all sessions yet, so it cannot check the limits.
      let isAwaited = request.isResume && core.isRecovering(meeting)
      if isAwaited { try join() }
      let number = joins.begin(session.id)
      whenSettled(call, of: meeting) { [self] in
        _ = joins.end(number, of: session.id)
        if !isAwaited { try join() }
        note(
          "Put the session on the board", of: session.id, as: session.identity.id, in: meeting,
          call)
        return reply(to: session, in: meeting)
      } ifGivenUp: { [unowned self] in
        // The gateway has not received the answer to this join. The gateway may retry, or has
        // already retried.
        guard joins.end(number, of: session.id), isAwaited else { return }
        decide {
          $0.detach(session.id, in: meeting, from: gateway, silentFor: .zero, at: $1)
        }
      }
    }
  }

  private func reply(to session: AnnouncedSession, in meeting: MeetingID) -> V1.JoinTilesReply {
    let published = core.board(of: meeting)?.sources(from: session.id) ?? []
    return V1.JoinTilesReply(
      board: snapshot(of: meeting, receivers: [session.identity.id]),
      published: published.map { V1.PublishedVideo($0) }, term: term)
  }

  func leave(_ request: V1.LeaveRequest, _ call: Call<V1.LeaveReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      // If a join or a promotion of this session waits for the end of recovery, the closure runs
      // after that join or promotion.
      whenSettled(call, of: meeting) { [self] in
        decide { boards, now in
          boards.inform(meeting, at: now) { $0.leave(session, at: now) }
        }
        note("The session left the board", of: session, in: meeting, call)
        return V1.LeaveReply()
      }
    }
  }

  func detach(_ request: V1.DetachRequest, _ call: Call<V1.DetachReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      let gateway = try GatewayName(wire: request.gateway)
      let silence = Duration.milliseconds(request.silentMs)
      decide { $0.detach(session, in: meeting, from: gateway, silentFor: silence, at: $1) }
      note("Keeps the sources of the session for a while", of: session, in: meeting, call)
      call.reply(V1.DetachReply())
    }
  }

  // MARK: Publishing

  func publishVideo(_ request: V1.PublishVideoRequest, _ call: Call<V1.PublishVideoReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      let declaration = try SourceDeclaration(request.video)
      whenSettled(call, of: meeting) { [self] in
        let source = try decide { boards, now in
          try boards.decide(in: meeting, at: now) { board throws(VideoTilesError) in
            try board.publish(declaration, from: session)
          }
        }
        note("The session publishes", of: session, in: meeting, call)
        return V1.PublishVideoReply(video: V1.PublishedVideo(source))
      }
    }
  }

  func unpublishVideo(
    _ request: V1.UnpublishVideoRequest, _ call: Call<V1.UnpublishVideoReply>
  ) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      let kind = try VideoSourceKind.read(request.kind)
      decide { boards, now in
        boards.inform(meeting, at: now) { $0.unpublish(kind, from: session) }
      }
      note("The session publishes no more", of: session, in: meeting, call)
      call.reply(V1.UnpublishVideoReply())
    }
  }

  func promote(_ request: V1.PromoteRequest, _ call: Call<V1.PromoteTilesReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      _ = try MeetingID(request.replicaMeetingID)
      guard let primary = request.primary else {
        throw VideoTilesError.malformed(field: "primary", rule: "present")
      }
      let meeting = try owned(primary.meetingID)
      let session = try SessionID(wire: request.sessionID)
      let identity = ParticipantIdentity(
        id: try ParticipantID(primary.participantID),
        externalUserID: try ExternalUserID(primary.externalUserID),
        displayName: try DisplayName(wire: primary.displayName))
      let capabilities = try AttendeeCapabilities(primary.capabilities)
      whenSettled(call, of: meeting) { [self] in
        let camera = try decide { boards, now in
          boards.hear(gateway, run: request.gatewayRun == 0 ? nil : request.gatewayRun, at: now)
          return try boards.decide(in: meeting, at: now) { board throws(VideoTilesError) in
            try board.promote(
              session, as: identity, capabilities, sinceMs: primary.openedAtMs,
              through: gateway, at: now)
          }
        }
        return V1.PromoteTilesReply(camera: V1.CameraAvailabilityChanged(camera))
      }
    }
  }

  func demote(_ request: V1.DemoteRequest, _ call: Call<V1.DemoteReply>) {
    attempt(call) {
      let meeting = try owned(request.primaryMeetingID)
      let session = try SessionID(wire: request.sessionID)
      let gateway = request.isAnyGateways ? nil : try GatewayName(wire: request.gateway)
      // If a join or a promotion of this session waits for the end of recovery, the closure runs
      // after that join or promotion.
      whenSettled(call, of: meeting) { [self] in
        decide { boards, now in
          boards.inform(meeting, at: now) { $0.demote(session, by: gateway) }
        }
        return V1.DemoteReply()
      }
    }
  }

  // MARK: Receiving

  func setRemoteVideo(_ request: V1.SetRemoteVideoRequest, _ call: Call<V1.SetRemoteVideoReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      whenSettled(call, of: meeting) { [self] in
        try decide { boards, now in
          try boards.decide(in: meeting, at: now) { board throws(VideoTilesError) in
            (
              (),
              try board.setRemoteVideo(
                session, to: request.isReceiving,
                decoding: VideoCodecSet(declared: request.canDecode))
            )
          }
        }
        return V1.SetRemoteVideoReply()
      }
    }
  }

  func updateVideoSubscriptions(
    _ request: V1.UpdateVideoSubscriptionsRequest, _ call: Call<V1.UpdateVideoSubscriptionsReply>
  ) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      let added = try ReceiverVideoSubscription.read(request.addedOrUpdated)
      let removed = try ReceiverVideoSubscription.readRemoved(request.removed)
      whenSettled(call, of: meeting) { [self] in
        try decide { boards, now in
          try boards.decide(in: meeting, at: now) { board throws(VideoTilesError) in
            ((), try board.updateSubscriptions(of: session, adding: added, removing: removed))
          }
        }
        note("The session subscribes to other tiles", of: session, in: meeting, call)
        let subscriptions = core.board(of: meeting)?.sessions[session]?.subscriptions
        return V1.UpdateVideoSubscriptionsReply(
          subscriptions: subscriptions.flatMap { V1.VideoSubscriptions($0) })
      }
    }
  }

  func setTilePaused(_ request: V1.SetTilePausedRequest, _ call: Call<V1.SetTilePausedReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      let tile = TileID(request.tileID)
      whenSettled(call, of: meeting) { [self] in
        let view = try decide { boards, now in
          try boards.decide(in: meeting, at: now) { board throws(VideoTilesError) in
            guard let tile else { throw .unknownTile }
            return try board.setPaused(tile, of: session, to: request.isPaused)
          }
        }
        return V1.SetTilePausedReply(tile: V1.TileState(view))
      }
    }
  }

  // MARK: Control

  func setCapabilities(
    _ request: V1.SetCapabilitiesRequest, _ call: Call<V1.SetCapabilitiesReply>
  ) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let attendee = try ParticipantID(request.attendeeID).attendee
      let capabilities = try AttendeeCapabilities(request.capabilities)
      decide { $0.setCapabilities(attendee, in: meeting, to: capabilities, at: $1) }
      call.reply(V1.SetCapabilitiesReply())
    }
  }

  func endMeeting(_ request: V1.EndMeetingRequest, _ call: Call<V1.EndMeetingReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      decide { $0.endMeeting(meeting, at: $1) }
      call.reply(V1.EndMeetingReply())
    }
  }

  func getLimits(_ request: V1.GetLimitsRequest, _ call: Call<V1.Limits>) {
    attempt(call) {
      let rules = configuration.rules
      call.reply(
        V1.Limits(
          maxCameras: UInt32(clamping: rules.maxCameras),
          maxVideosWithoutSubscription: UInt32(clamping: rules.maxVideosWithoutSubscription),
          maxContentShares: UInt32(clamping: rules.maxContentShares)))
    }
  }

  // MARK: Snapshots

  func snapshot(_ request: V1.TileSnapshotRequest, _ call: Call<V1.TileBoardSnapshot>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let receivers = try request.participantIDs.map { try ParticipantID($0) }
      decide { $0.open(meeting, at: $1) }
      whenSettled(call, of: meeting) { [self] in
        snapshot(of: meeting, receivers: receivers.isEmpty ? nil : Set(receivers))
      }
    }
  }

  func replay(_ request: V1.ReplayRequest, _ call: Call<V1.TileReplayReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      decide { $0.open(meeting, at: $1) }
      let events = owner.streams[meeting]?.replay(
        epoch: request.epoch, after: request.afterSequence)
      if let events {
        call.reply(V1.TileReplayReply(outcome: .events(V1.ReplayedEvents(events: events))))
      } else {
        whenSettled(call, of: meeting) { [self] in
          V1.TileReplayReply(outcome: .snapshot(snapshot(of: meeting)))
        }
      }
    }
  }

  // MARK: Gateways

  func announce(_ request: V1.AnnounceTilesRequest, _ call: Call<V1.AnnounceTilesReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      let part = SessionAnnouncementPage(
        reading: request.sessions, by: gateway, run: request.gatewayRun, isLast: request.last,
        seeing: request.membership, id: \.sessionID
      ) { try AnnouncedSession.read($0) }
      let refused = decide { $0.announce(part, at: $1) }
      call.reply(
        V1.AnnounceTilesReply(
          term: term, sessions: sources(of: part.sessions),
          refused: refusals(of: part, and: refused)))
    }
  }

  /// Returns the sources of these sessions. Omits sessions that are not on a board.
  private func sources(
    of sessions: [(meeting: MeetingID, session: AnnouncedSession)]
  ) -> [V1.SessionSources] {
    sessions.compactMap { meeting, session in
      guard let board = core.board(of: meeting), board.sessions[session.id] != nil else {
        return nil
      }
      return V1.SessionSources(
        sessionID: session.id.bytes,
        published: board.sources(from: session.id).map { V1.PublishedVideo($0) })
    }
  }

  func gatewayAlive(_ request: V1.GatewayAliveRequest, _ call: Call<V1.GatewayAliveReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      owner.hear(highestTerm: request.highestTerm)
      let isAsked = decide {
        $0.gatewayIsAlive(
          gateway, run: request.gatewayRun, seeing: request.membership, at: $1)
      }
      call.reply(V1.GatewayAliveReply(term: term, wantsAnnouncement: isAsked))
    }
  }

  // MARK: Media

  func reportDownlink(
    _ request: V1.ReportDownlinkRequest, _ call: Call<V1.ReportDownlinkReply>
  ) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let reports = readable(request.receivers) { try DownlinkReport($0) }
      decide { boards, now in
        boards.inform(meeting, at: now) { $0.reportDownlink(reports, at: now) }
      }
      call.reply(V1.ReportDownlinkReply())
    }
  }

  func reportTracks(_ request: V1.ReportTracksRequest, _ call: Call<V1.ReportTracksReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let reports = request.tracks.compactMap { SourceLayerReport($0) }
      decide { boards, now in
        boards.inform(meeting, at: now) { $0.reportTracks(reports, at: now) }
      }
      call.reply(V1.ReportTracksReply())
    }
  }

  func watchDecisions(
    _ request: V1.WatchDecisionsRequest, _ stream: ServerStream<V1.ForwardingUpdate>
  ) {
    attempt(stream) { watch(try owned(request.meetingID), on: stream) }
  }
}
