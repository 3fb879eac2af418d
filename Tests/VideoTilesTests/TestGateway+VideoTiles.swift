import Bus
import MeetingModel
import OwnerTestSupport
import TestSupport
import Trials
import Wire

@testable import VideoTiles

extension SeenEvent {
  var sources: V1.VideoSourcesChanged? {
    for event in body.events {
      if case .videoSourcesChanged(let changed) = event.event { return changed }
    }
    return nil
  }

  var tiles: [V1.TileState] {
    body.events.flatMap { event -> [V1.TileState] in
      if case .tilesChanged(let changed) = event.event { changed.tiles } else { [] }
    }
  }

  var camera: V1.CameraAvailabilityChanged? {
    for event in body.events {
      if case .cameraAvailabilityChanged(let changed) = event.event { return changed }
    }
    return nil
  }

  var publishedEnded: V1.PublishedVideoEnded? {
    for event in body.events {
      if case .publishedVideoEnded(let ended) = event.event { return ended }
    }
    return nil
  }
}

extension FollowedStream {
  /// The stream of the planning meeting's sources and tiles.
  static let tiles = FollowedStream(
    of: "video-tiles-a", .tiles(of: .planning), replay: V1.VideoTilesMethods.replay
  ) { epoch, sequence in
    V1.ReplayRequest(
      meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence)
  } missed: { reply in
    switch reply.outcome {
    case .events(let replayed): .events(replayed.events)
    case .snapshot(let snapshot): .position(epoch: snapshot.epoch, sequence: snapshot.sequence)
    case nil: nil
    }
  }
}

/// Requests to video-tiles.
extension TestGateway {
  /// Follows all events of the planning meeting from now on.
  @discardableResult
  func follow() async throws(Status) -> V1.TileBoardSnapshot {
    subscribe()
    let snapshot = try await snapshot()
    takeEvents(ofEpoch: snapshot.epoch, after: snapshot.sequence)
    return snapshot
  }

  /// Returns all events so far, except the events that only other persons receive.
  nonisolated func events(for person: Person) -> [SeenEvent] {
    seen.entries.filter { event in
      event.header.onlyFor.isEmpty || event.header.onlyFor.contains(person.participant.text)
    }
  }

  @discardableResult
  func join(
    _ session: V1.TileSession, isResume: Bool = false, options: CallOptions = .init()
  ) async throws(Status) -> V1.JoinTilesReply {
    try await call(
      V1.VideoTilesMethods.join,
      V1.JoinTilesRequest(session: session, gateway: name, isResume: isResume, gatewayRun: 1),
      options: options)
  }

  @discardableResult
  func join(
    _ person: Person, publishing published: V1.PublishedVideo...
  ) async throws(Status) -> V1.JoinTilesReply {
    try await join(V1.TileSession(person, publishing: published))
  }

  /// Sends a request, and returns when video-tiles has received the request.
  ///
  /// - Returns: A closure that waits for the answer.
  func ask<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request
  ) async throws(Status) -> @Sendable () async -> Result<Reply, Status> {
    let answer = begin(method, request)
    // Video-tiles reads the requests of a connection in order. The answer to this request shows
    // that video-tiles has read `request`.
    _ = try await sayAlive()
    return answer
  }

  func leave(_ person: Person) async throws(Status) {
    _ = try await call(
      V1.VideoTilesMethods.leave,
      V1.LeaveRequest(meetingID: MeetingID.planning.text, sessionID: person.session().bytes))
  }

  func detach(_ person: Person, silentFor milliseconds: UInt32 = 0) async throws(Status) {
    _ = try await call(
      V1.VideoTilesMethods.detach,
      V1.DetachRequest(
        meetingID: MeetingID.planning.text, sessionID: person.session().bytes,
        silentMs: milliseconds, gateway: name))
  }

  @discardableResult
  func publish(
    _ video: V1.PublishedVideo, by person: Person
  ) async throws(Status) -> V1.PublishedVideo? {
    try await call(
      V1.VideoTilesMethods.publishVideo,
      V1.PublishVideoRequest(
        meetingID: MeetingID.planning.text, sessionID: person.session().bytes, video: video)
    ).video
  }

  func unpublish(_ kind: V1.VideoSourceKind, by person: Person) async throws(Status) {
    _ = try await call(
      V1.VideoTilesMethods.unpublishVideo,
      V1.UnpublishVideoRequest(
        meetingID: MeetingID.planning.text, sessionID: person.session().bytes, kind: kind))
  }

  @discardableResult
  func subscribe(
    _ person: Person, to wanted: [Person: V1.VideoPriority], removing removed: [Person] = []
  ) async throws(Status) -> V1.UpdateVideoSubscriptionsReply {
    try await call(
      V1.VideoTilesMethods.updateVideoSubscriptions,
      V1.UpdateVideoSubscriptionsRequest(
        meetingID: MeetingID.planning.text, sessionID: person.session().bytes,
        addedOrUpdated: wanted.map { publisher, priority in
          V1.VideoSubscription(
            participantID: publisher.participant.text, priority: priority)
        }, removed: removed.map(\.participant.text)))
  }

  @discardableResult
  func pause(
    _ tile: UInt32, of person: Person, to isPaused: Bool = true
  ) async throws(Status) -> V1.TileState? {
    try await call(
      V1.VideoTilesMethods.setTilePaused,
      V1.SetTilePausedRequest(
        meetingID: MeetingID.planning.text, sessionID: person.session().bytes, tileID: tile,
        isPaused: isPaused)
    ).tile
  }

  func snapshot(of people: Person...) async throws(Status) -> V1.TileBoardSnapshot {
    try await call(
      V1.VideoTilesMethods.snapshot,
      V1.TileSnapshotRequest(
        meetingID: MeetingID.planning.text, participantIDs: people.map(\.participant.text)))
  }

  func replay(epoch: UInt64, after sequence: UInt64) async throws(Status) -> V1.TileReplayReply {
    try await call(
      V1.VideoTilesMethods.replay,
      V1.ReplayRequest(
        meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence))
  }

  @discardableResult
  func announce(
    _ sessions: [V1.TileSession], isLast: Bool = true
  ) async throws(Status) -> V1.AnnounceTilesReply {
    try await call(
      V1.VideoTilesMethods.announce,
      V1.AnnounceTilesRequest(gateway: name, sessions: sessions, last: isLast, gatewayRun: 1))
  }

  func sayAlive() async throws(Status) -> V1.GatewayAliveReply {
    try await call(
      V1.VideoTilesMethods.gatewayAlive, V1.GatewayAliveRequest(gateway: name, gatewayRun: 1))
  }

  func setCapabilities(of person: Person, to capabilities: V1.Capabilities) async throws(Status) {
    _ = try await call(
      V1.VideoTilesMethods.setCapabilities,
      V1.SetCapabilitiesRequest(
        meetingID: MeetingID.planning.text, attendeeID: person.attendee.text,
        capabilities: capabilities))
  }
}
