import Bus
import MeetingModel
import TestSupport
import Wire
import ZeroMQ

@testable import Gateway

/// A session of a browser. The test answers in place of media and video-tiles.
final class PictureStage {
  let video: BrowserVideoNegotiator
  let session: GatewayClientSession

  /// The video sources of the meeting, by tile.
  var sources: [UInt32: V1.VideoSource] = [:]
  private(set) lazy var pictures = BrowserVideoState { [unowned self] id in
    sources[NumberedVideoEncoding.tileID(of: id)].flatMap {
      NumberedVideoEncoding($0, layer: NumberedVideoEncoding.layer(of: id))
    }
  }

  /// The requests to the services, in order.
  var offers: [V1.NegotiateRequest] = []
  var published: [V1.PublishedVideo] = []
  var unpublished: [V1.VideoSourceKind] = []
  var changes: [V1.UpdateVideoSubscriptionsRequest] = []
  var receiving: [Bool] = []
  var paused: [V1.SetTilePausedRequest] = []

  /// Media's answer about the browser's own video.
  var offered: V1.NegotiatedVideo?

  /// The reason why video-tiles refuses the browser's video; `nil` if video-tiles accepts the
  /// video.
  var refusal: Status?

  /// The SSRC that video-tiles assigns to the first layer, whatever the request says.
  var givenSSRC: UInt32?
  private var subscribed: [String: V1.VideoSubscription] = [:]

  init(_ video: BrowserVideoNegotiator, _ session: GatewayClientSession) {
    (self.video, self.session) = (video, session)
  }

  /// Adds cameras with three layers each, in tiles with these numbers.
  func show(_ tiles: UInt32...) {
    for tile in tiles { sources[tile] = .camera(tile) }
  }

  /// Returns the answer to a SUBSCRIBE.
  func subscribe(_ subscription: BrowserSubscription) async throws(Status) -> SubscribeAnswer {
    let answer = try await video.negotiate(subscription, pictures, session)
    await video.subscribe(pictures, session)
    return answer
  }

  /// Processes a REMOTE_VIDEO_UPDATE.
  func change(
    _ wishes: [Signaling.SdkVideoSubscriptionConfiguration], removing mids: [String] = []
  ) async {
    let change = VideoSubscriptionChange(
      .init(addedOrUpdatedVideoSubscriptions: wishes, removedVideoSubscriptionMids: mids))
    pictures.reception.take(change, find: pictures.stream)
    await video.subscribe(pictures, session)
  }

  /// Processes a PAUSE or a RESUME.
  func setPaused(_ isPaused: Bool, _ streamIDs: UInt32...) async {
    pictures.setPaused(isPaused, streamIDs)
    await video.subscribe(pictures, session)
  }

  fileprivate func answer(_ request: V1.NegotiateRequest) -> V1.NegotiateReply {
    offers.append(request)
    var taken = Set(request.tracks.map(\.mid))
    var next = 2
    let tracks = request.tracks.map { track in
      var track = track
      while track.mid.isEmpty {
        if taken.insert("\(next)").inserted { track.mid = "\(next)" }
        next += 1
      }
      return track
    }
    return V1.NegotiateReply(answer: "answer", term: 1, tracks: tracks, video: offered)
  }

  fileprivate func publish(_ video: V1.PublishedVideo) -> V1.PublishVideoReply {
    published.append(video)
    var video = video
    if video.tileID == 0 { (video.tileID, video.trackSSRC) = (77, 7_777) }
    if let givenSSRC { video.layers[0].ssrc = givenSSRC }
    return V1.PublishVideoReply(video: video)
  }

  fileprivate func change(
    _ request: V1.UpdateVideoSubscriptionsRequest
  ) -> V1.UpdateVideoSubscriptionsReply {
    changes.append(
      .init(addedOrUpdated: request.addedOrUpdated, removed: request.removed))
    for name in request.removed { subscribed[name] = nil }
    for added in request.addedOrUpdated { subscribed[added.participantID] = added }
    let all = subscribed.values.sorted { $0.participantID < $1.participantID }
    return .init(subscriptions: .init(subscriptions: all))
  }
}

extension V1.VideoSource {
  /// Returns a camera with three layers. The SSRC of its track is 1000 plus the tile's number.
  static func camera(_ tile: UInt32, of attendee: String? = nil) -> V1.VideoSource {
    .init(
      tileID: tile,
      attendee: .init(attendeeID: attendee ?? "a\(tile)", externalUserID: "user"),
      kind: .camera,
      layers: [
        .init(ssrc: 1, width: 320, height: 180, bitsPerSecond: 300_000),
        .init(ssrc: 2, width: 640, height: 360, bitsPerSecond: 600_000),
        .init(ssrc: 3, width: 1_280, height: 720, bitsPerSecond: 1_200_000),
      ], trackSSRC: 1_000 + tile)
  }
}

/// Runs a test with one instance of media and one instance of video-tiles.
func withPictures(
  asContent: Bool = false,
  _ body: @Sendable (isolated KeeperFixture, PictureStage) async throws -> Void
) async throws {
  try await withKeeper { fixture in
    let services = ServiceConnectors(in: fixture.context)
    let calls = SessionCalls(
      services, fixture.keeper, Promoter(services, in: fixture.context), in: fixture.context)
    let session = try await fixture.session(LocalLink(), asContent: asContent)
    session.media.admitted(nil, at: "media-a")
    session.cursors[.tiles] = StreamCursor(epoch: 1, sequence: 0)
    let stage = PictureStage(BrowserVideoNegotiator(calls, in: fixture.context), session)
    let registry = RuntimeDirectoryRegistry(runtimeDirectory: fixture.directory)
    var servers: [RequestServer] = []
    var registrations: [any InstanceRegistration] = []
    let followed: [any ServiceConnector] = [services.tiles, services.media]
    for following in followed.map(\.following) {
      let name = following.id.name
      let requests = try Endpoint.ipc("\(fixture.directory)/\(name).sock")
      let server = try RequestServer(at: [requests], in: fixture.sockets, on: fixture.thread)
      server.answer(for: stage)
      servers.append(server)
      registrations.append(
        try registry.register(
          InstanceAnnouncement(
            service: name, instance: "\(name)-a",
            endpoints: [
              "rpc": requests.text, "events": "ipc://\(fixture.directory)/\(name)-e.sock",
            ])))
      try following.refresh(with: registry.instances(of: name))
    }
    let result: Result<Void, any Error>
    do { result = .success(try await body(fixture, stage)) } catch { result = .failure(error) }
    for part in followed { part.following.close() }
    for server in servers { server.close() }
    for registration in registrations { registration.withdraw() }
    try result.get()
  }
}

extension RequestServer {
  /// Answers requests to media and to video-tiles.
  fileprivate func answer(for stage: PictureStage) {
    on(V1.MediaMethods.negotiate) { $1.reply(stage.answer($0)) }
    on(V1.VideoTilesMethods.publishVideo) { request, call in
      if let status = stage.refusal { return call.fail(status) }
      call.reply(stage.publish(request.video ?? .init()))
    }
    on(V1.VideoTilesMethods.unpublishVideo) {
      stage.unpublished.append($0.kind)
      $1.reply(V1.UnpublishVideoReply())
    }
    on(V1.VideoTilesMethods.updateVideoSubscriptions) { $1.reply(stage.change($0)) }
    on(V1.VideoTilesMethods.setRemoteVideo) {
      stage.receiving.append($0.isReceiving)
      $1.reply(V1.SetRemoteVideoReply())
    }
    on(V1.VideoTilesMethods.setTilePaused) {
      stage.paused.append(.init(tileID: $0.tileID, isPaused: $0.isPaused))
      $1.reply(V1.SetTilePausedReply())
    }
  }
}
