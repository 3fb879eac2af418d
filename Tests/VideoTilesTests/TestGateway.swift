import Bus
import MeetingModel
import Wire
import ZeroMQ

@testable import VideoTiles

/// An event as a gateway has it.
struct SeenEvent: Sendable {
  let header: V1.EventHeader
  let body: V1.SessionEvents

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

/// What of a gateway video-tiles sees: its requests, and how it follows a meeting.
actor TestGateway {
  nonisolated let name: String
  private let thread: SocketThread
  private var channel: RequestChannel?
  private var subscriber: EventSubscriber?
  private let follower = StreamFollower()
  private var seen: [SeenEvent] = []
  private var readers: [AsyncStream<Void>.Continuation] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(name: String) {
    self.name = name
    thread = SocketThread(name: name)
  }

  func open(requests: Endpoint, events: Endpoint) throws {
    let context = try Context()
    channel = try RequestChannel(to: requests, in: context, on: thread)
    let subscriber = try EventSubscriber(
      to: events, instance: "video-tiles-a", in: context, on: thread)
    subscriber.onEvent = { [unowned self] in follower.arrive($0.header, $0.body) }
    subscriber.onBeacon = { [unowned self] in
      for position in $0.positions where position.meetingID == MeetingID.planning.text {
        follower.observe(position)
      }
    }
    self.subscriber = subscriber
    follower.onEvent = { [unowned self] header, bytes in
      guard let body = try? V1.SessionEvents(packed: bytes) else { return }
      seen.append(SeenEvent(header: header, body: body))
      for reader in readers { reader.yield() }
    }
    follower.onCatchUp = { [unowned self] in catchUp(epoch: $0, after: $1) }
  }

  func close() {
    channel?.close()
    subscriber?.close()
    (channel, subscriber) = (nil, nil)
    thread.stop()
  }

  // MARK: Events

  /// Sees all events of the planning meeting from now on.
  @discardableResult
  func follow() async throws(Status) -> V1.TileBoardSnapshot {
    subscriber?.subscribe(to: .tiles(of: .planning))
    let snapshot = try await snapshot()
    follower.reset(epoch: snapshot.epoch, sequence: snapshot.sequence)
    return snapshot
  }

  private func catchUp(epoch: UInt64, after sequence: UInt64) {
    let request = V1.ReplayRequest(
      meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence)
    channel?.call(V1.VideoTilesMethods.replay, request, .init()) { [unowned self] in
      finishCatchUp($0)
    }
  }

  private func finishCatchUp(_ outcome: Result<V1.TileReplayReply, Status>) {
    guard case .success(let reply) = outcome, let outcome = reply.outcome else {
      return follower.catchUpFailed()
    }
    switch outcome {
    case .events(let replayed): follower.caughtUp(with: replayed.events)
    case .snapshot(let snapshot):
      follower.reset(epoch: snapshot.epoch, sequence: snapshot.sequence)
    }
  }

  /// The first event that `isWanted`, once it is there.
  func event(_ isWanted: (SeenEvent) -> Bool) async throws -> SeenEvent {
    let (news, reader) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    readers.append(reader)
    reader.yield()
    for await _ in news {
      if let event = seen.first(where: isWanted) { return event }
    }
    throw CancellationError()
  }

  /// All events so far, those of this person only.
  func events(for person: Person) -> [SeenEvent] {
    seen.filter { event in
      event.header.onlyFor.isEmpty || event.header.onlyFor.contains(person.participant.text)
    }
  }

  // MARK: Requests

  func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, options: CallOptions = .init()
  ) async throws(Status) -> Reply {
    let outcome: Result<Reply, Status> = await withCheckedContinuation { continuation in
      start(method, request, options) { continuation.resume(returning: $0) }
    }
    return try outcome.get()
  }

  private func start<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, _ options: CallOptions,
    then: @escaping (Result<Reply, Status>) -> Void
  ) {
    guard let channel else {
      return then(.failure(Status(.unavailable, "The test's gateway is closed.")))
    }
    channel.call(method, request, options, then: then)
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

  /// Asks for something. Video-tiles has the request when this returns.
  ///
  /// - Returns: Waits for the answer.
  func begin<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request
  ) async throws(Status) -> @Sendable () async -> Result<Reply, Status> {
    let (answers, answer) = AsyncStream.makeStream(of: Result<Reply, Status>.self)
    start(method, request, .init()) { answer.yield($0) }
    // One connection: video-tiles reads in order.
    _ = try await sayAlive()
    return {
      await answers.first { _ in true }
        ?? .failure(Status(.cancelled, "The test does not wait for the answer."))
    }
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
        silentMs: milliseconds))
  }

  @discardableResult
  func publish(
    _ video: V1.PublishedVideo, by person: Person
  ) async throws(Status) -> V1.PublishedVideo? {
    try await call(
      V1.VideoTilesMethods.publishSource,
      V1.PublishSourceRequest(
        meetingID: MeetingID.planning.text, sessionID: person.session().bytes, video: video)
    ).video
  }

  func unpublish(_ kind: V1.VideoSourceKind, by person: Person) async throws(Status) {
    _ = try await call(
      V1.VideoTilesMethods.unpublishSource,
      V1.UnpublishSourceRequest(
        meetingID: MeetingID.planning.text, sessionID: person.session().bytes, kind: kind))
  }

  @discardableResult
  func subscribe(
    _ person: Person, to wanted: [Person: V1.VideoPriority], removing removed: [Person] = []
  ) async throws(Status) -> V1.UpdateSubscriptionsReply {
    try await call(
      V1.VideoTilesMethods.updateSubscriptions,
      V1.UpdateSubscriptionsRequest(
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
      V1.VideoTilesMethods.pauseTile,
      V1.PauseTileRequest(
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
