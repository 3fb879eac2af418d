import Bus
import MeetingModel
import ServiceHost
import Wire
import ZeroMQ

// What clients choose about video: video-tiles decides, the gateway keeps the choice for its next term.
extension GatewayService {
  func publishVideo(_ request: V1.PublishVideoRequest, _ call: Call<V1.PublishVideoReply>) {
    guard let id = sessions[call.route]?.id else { return call.fail(Self.tilesAreAway) }
    call.perform { try await self.publish(request, of: id) }
  }

  private func publish(
    _ request: V1.PublishVideoRequest, of id: SessionID
  ) async throws(Status) -> V1.PublishVideoReply {
    var patience = Patience(until: thread.now + settings.joinPatience)
    while true {
      do throws(Status) {
        let (session, owner) = try board(of: id)
        let change = V1.PublishSourceRequest(
          meetingID: session.boardMeeting.text, sessionID: id.bytes, video: request.video)
        let reply = try await owner.client.publishSource(change, options: options(owner))
        if let video = reply.video {
          session.choices.published.removeAll { $0.kind == video.kind }
          session.choices.published.append(video)
        }
        return V1.PublishVideoReply(video: reply.video)
      } catch {
        try await patience.wait(after: error, now: thread.now)
      }
    }
  }

  func unpublishVideo(_ request: V1.UnpublishVideoRequest, _ call: Call<V1.UnpublishVideoReply>) {
    guard let id = sessions[call.route]?.id else { return call.fail(Self.tilesAreAway) }
    call.perform { try await self.unpublish(request, of: id) }
  }

  private func unpublish(
    _ request: V1.UnpublishVideoRequest, of id: SessionID
  ) async throws(Status) -> V1.UnpublishVideoReply {
    var patience = Patience(until: thread.now + settings.joinPatience)
    while true {
      do throws(Status) {
        let (session, owner) = try board(of: id)
        session.choices.published.removeAll { $0.kind == request.kind }
        let change = V1.UnpublishSourceRequest(
          meetingID: session.boardMeeting.text, sessionID: id.bytes, kind: request.kind)
        _ = try await owner.client.unpublishSource(change, options: options(owner))
        return V1.UnpublishVideoReply()
      } catch {
        try await patience.wait(after: error, now: thread.now)
      }
    }
  }

  func setRemoteVideo(_ request: V1.SetRemoteVideoRequest, _ call: Call<V1.SetRemoteVideoReply>) {
    guard let id = sessions[call.route]?.id else { return call.fail(Self.tilesAreAway) }
    call.perform { try await self.receive(request.isOn, of: id) }
  }

  private func receive(
    _ isOn: Bool, of id: SessionID
  ) async throws(Status) -> V1.SetRemoteVideoReply {
    var patience = Patience(until: thread.now + settings.joinPatience)
    while true {
      do throws(Status) {
        let (session, owner) = try board(of: id)
        session.choices.isReceiving = isOn
        let change = V1.SetReceivingRequest(
          meetingID: session.boardMeeting.text, sessionID: id.bytes, isReceiving: isOn)
        _ = try await owner.client.setReceiving(change, options: options(owner))
        return V1.SetRemoteVideoReply()
      } catch {
        try await patience.wait(after: error, now: thread.now)
      }
    }
  }

  func updateVideoSubscriptions(
    _ request: V1.UpdateVideoSubscriptionsRequest,
    _ call: Call<V1.UpdateVideoSubscriptionsReply>
  ) {
    guard let id = sessions[call.route]?.id else { return call.fail(Self.tilesAreAway) }
    call.perform { try await self.subscribe(request, of: id) }
  }

  private func subscribe(
    _ request: V1.UpdateVideoSubscriptionsRequest, of id: SessionID
  ) async throws(Status) -> V1.UpdateVideoSubscriptionsReply {
    var patience = Patience(until: thread.now + settings.joinPatience)
    while true {
      do throws(Status) {
        let (session, owner) = try board(of: id)
        let change = V1.UpdateSubscriptionsRequest(
          meetingID: session.boardMeeting.text, sessionID: id.bytes,
          addedOrUpdated: request.addedOrUpdated, removed: request.removed)
        let reply = try await owner.client.updateSubscriptions(change, options: options(owner))
        session.choices.subscriptions = reply.subscriptions
        return V1.UpdateVideoSubscriptionsReply()
      } catch {
        try await patience.wait(after: error, now: thread.now)
      }
    }
  }

  func setTilePaused(_ request: V1.SetTilePausedRequest, _ call: Call<V1.SetTilePausedReply>) {
    guard let id = sessions[call.route]?.id else { return call.fail(Self.tilesAreAway) }
    call.perform { try await self.pause(request, of: id) }
  }

  private func pause(
    _ request: V1.SetTilePausedRequest, of id: SessionID
  ) async throws(Status) -> V1.SetTilePausedReply {
    var patience = Patience(until: thread.now + settings.joinPatience)
    while true {
      do throws(Status) {
        let (session, owner) = try board(of: id)
        let change = V1.PauseTileRequest(
          meetingID: session.boardMeeting.text, sessionID: id.bytes, tileID: request.tileID,
          isPaused: request.isPaused)
        let reply = try await owner.client.pauseTile(change, options: options(owner))
        session.choices.pausedTileIDs.removeAll { $0 == request.tileID }
        if request.isPaused { session.choices.pausedTileIDs.append(request.tileID) }
        return V1.SetTilePausedReply(tile: reply.tile)
      } catch {
        try await patience.wait(after: error, now: thread.now)
      }
    }
  }

  private func board(
    of id: SessionID
  ) throws(Status) -> (Session, ServiceLink<VideoTilesClient>) {
    // One that is not on the board yet is on its way there.
    guard let session = sessions[id], session.cursors[.tiles] != nil,
      let owner = tiles.owner(of: session.boardMeeting)
    else { throw Self.tilesAreAway }
    return (session, owner)
  }

  private func options(_ owner: ServiceLink<VideoTilesClient>) -> CallOptions {
    CallOptions(timeout: .seconds(2), term: owner.term)
  }
}

/// How long a call is asked again of a service that is restarting.
private struct Patience {
  let end: ContinuousClock.Instant

  init(until end: ContinuousClock.Instant) { self.end = end }

  /// Returns when it is time to ask again.
  ///
  /// - Throws: What went wrong, when asking again is of no use or too late.
  mutating func wait(after status: Status, now: ContinuousClock.Instant) async throws(Status) {
    guard status.isWorthRepeating, now < end else { throw status }
    do { try await Task.sleep(for: .milliseconds(100)) } catch { throw status }
  }
}
