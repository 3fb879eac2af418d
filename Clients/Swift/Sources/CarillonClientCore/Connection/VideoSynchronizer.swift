internal import MeetingModel
internal import Synchronization
internal import Wire

/// Sees to it that the server knows what the application wants of video, through lost connections
/// and a service that is away for a while.
///
/// It compares what is wanted with what was told, and tells the difference; of each part one call
/// is under way at a time. What fails for a while is told again after the next keep-alive. Lives on
/// the socket thread; only the wishes come from any thread.
final class VideoSynchronizer {
  private enum Part: Hashable {
    case publishing
    case subscriptions
    case receiving
    case pause(Int)
  }

  /// What the server answered that the session should hear of.
  var onUpdate: ((VideoUpdate) -> Void)?

  /// What is sent from now on, with the meeting's numbers; `nil` for nothing.
  var onPublished: ((MediaPublication?) -> Void)?

  private let wishes: RequestedVideoBox
  private let logger: SessionLog
  private var link: GatewayLink?

  /// What the server knows.
  private var told = RequestedVideo()
  private var numbers = VideoNumbers()
  private var underWay: Set<Part> = []

  /// What failed, and is tried again after the next keep-alive.
  private var held: Set<Part> = []

  /// Tiles of which the server said something since their pause was sent.
  private var heardTiles: Set<Int> = []

  init(_ wishes: RequestedVideoBox, logger: SessionLog) {
    self.wishes = wishes
    self.logger = logger
  }

  /// What a Start after a lost connection declares; it counts as told then.
  func declare() -> V1.VideoChoices {
    let wishes = wishes.value
    told = wishes
    // Only an answer tells the numbers, and a resume that was left unsaid shows what lay beneath.
    told.published = nil
    told.pauses = wishes.pauses.filter(\.value.isPaused)
    return wishes.choices(numbers)
  }

  func begin(on link: GatewayLink) {
    self.link = link
    tell()
  }

  func connectionWasLost() {
    link = nil
    (underWay, held, heardTiles) = ([], [], [])
  }

  func close() {
    connectionWasLost()
    (onUpdate, onPublished) = (nil, nil)
  }

  func keepAliveWasAnswered() {
    held = []
    tell()
  }

  /// Tells what is not told yet.
  func tell() {
    guard link != nil else { return }
    let wishes = wishes.value
    tellSubscriptions(wishes)
    tellReceiving(wishes)
    for tileId in wishes.pauses.keys.sorted() { tellPause(of: tileId, wishes) }
    tellPublished(wishes)
  }

  // MARK: What happens at the server

  /// Sources are gone, and with them what was asked of them.
  func forgetSources(of attendeeIds: [String]) {
    told.forgetSources(of: attendeeIds)
    wishes.change { $0.forgetSources(of: attendeeIds) }
  }

  func tilesWereReported(_ notices: [TileNotice]) {
    for notice in notices {
      switch notice {
      case .shown(let tileId, _, _):
        heardTiles.insert(tileId)
      case .ended(let tileId):
        heardTiles.insert(tileId)
        told.forgetTile(tileId)
        wishes.change { $0.forgetTile(tileId) }
      }
    }
  }

  /// The server ended what this session publishes, or refused what a Start declared.
  func publishedVideoEnded(_ ended: V1.PublishedVideoEnded) {
    guard ended.tileID == 0 || ended.tileID == numbers.tile else { return }
    let why = ended.status.flatMap { Status($0) }?.description ?? "It is not said why."
    logger.error("The server ended the video. \(why)")
    guard let published = told.published else { return }
    fail(published)
  }

  /// The session may not publish any more: what it published has ended, and is not wanted.
  func publishingEnded() {
    for declaration in Set([wishes.value.published, told.published].compactMap { $0 }) {
      fail(declaration)
    }
  }

  /// What this session publishes, as the meeting sees it: a new owner of the board may have had to
  /// give it other numbers.
  func boardShows(_ own: V1.VideoSource) {
    // While a call is under way its answer tells them.
    guard let published = told.published, !underWay.contains(.publishing) else { return }
    let seen = VideoNumbers(
      tile: own.tileID, track: own.trackSSRC, layers: own.layers.map(\.ssrc))
    guard seen != numbers else { return }
    numbers = seen
    onUpdate?(.published(number: published.number, tileId: Int(seen.tile)))
  }

  // MARK: Receiving

  private func tellSubscriptions(_ wishes: RequestedVideo) {
    guard let wanted = wishes.subscriptions, wanted != told.subscriptions else { return }
    let known = told.subscriptions ?? [:]
    let request = V1.UpdateVideoSubscriptionsRequest(
      addedOrUpdated: V1.VideoSubscription.list(wanted.filter { known[$0.key] != $0.value }),
      removed: known.keys.filter { wanted[$0] == nil }.sorted())
    call(.subscriptions) {
      $0.updateSubscriptions(request, then: $1)
    } then: { synchronizer, _ in
      synchronizer.told.subscriptions = wanted
    }
  }

  private func tellReceiving(_ wishes: RequestedVideo) {
    let isReceiving = wishes.isReceiving
    guard isReceiving != told.isReceiving else { return }
    call(.receiving) {
      $0.setRemoteVideo(isReceiving, then: $1)
    } then: { synchronizer, _ in
      synchronizer.told.isReceiving = isReceiving
    }
  }

  private func tellPause(of tileId: Int, _ wishes: RequestedVideo) {
    guard let pause = wishes.pauses[tileId], pause != told.pauses[tileId],
      let tile = UInt32(exactly: tileId)
    else { return }
    if !underWay.contains(.pause(tileId)) { heardTiles.remove(tileId) }
    call(.pause(tileId)) {
      $0.setPaused(pause.isPaused, tile: tile, then: $1)
    } then: {
      synchronizer, reply in
      synchronizer.wasReported(pause, of: tileId)
      guard let state = try? reply.get().tile, !state.isRemoved else { return }
      // Events and answers come by different ways: what was heard meanwhile is not older.
      guard !synchronizer.heardTiles.contains(tileId) else { return }
      synchronizer.onUpdate?(
        .tiles([
          .shown(
            tileId: tileId, attendeeId: state.participantID, VideoPauseState(state.pauseState))
        ]))
    }
  }

  /// A resumed tile is like any other: there is nothing to say again.
  private func wasReported(_ pause: RequestedVideo.Pause, of tileId: Int) {
    guard !pause.isPaused else { return told.pauses[tileId] = pause }
    told.forgetTile(tileId)
    wishes.change { wishes in
      if wishes.pauses[tileId] == pause { wishes.forgetTile(tileId) }
    }
  }

  // MARK: Publishing

  private func tellPublished(_ wishes: RequestedVideo) {
    guard wishes.published != told.published else { return }
    if let wanted = wishes.published {
      let video = V1.PublishedVideo(wanted, numbers)
      call(.publishing) {
        $0.publish(video, then: $1)
      } then: { synchronizer, reply in
        switch reply {
        case .success(let reply): synchronizer.wasPublished(wanted, as: reply.video)
        case .failure: synchronizer.fail(wanted)
        }
      }
    } else if let ended = told.published {
      call(.publishing) {
        $0.unpublish(V1.VideoSourceKind(ended.kind), then: $1)
      } then: {
        synchronizer, _ in
        synchronizer.told.published = nil
        synchronizer.numbers = VideoNumbers()
        synchronizer.onPublished?(nil)
        synchronizer.onUpdate?(.unpublished(number: ended.number))
      }
    }
  }

  private func wasPublished(_ declaration: VideoDeclaration, as video: V1.PublishedVideo?) {
    told.published = declaration
    if let video { numbers = VideoNumbers(video) }
    onPublished?(MediaPublication(declaration, numbers))
    onUpdate?(.published(number: declaration.number, tileId: Int(numbers.tile)))
  }

  /// It is not sent any more, nor wanted, unless the application wants another one by now.
  private func fail(_ declaration: VideoDeclaration) {
    wishes.change { wishes in
      if wishes.published == declaration { wishes.published = nil }
    }
    if told.published == declaration {
      told.published = nil
      numbers = VideoNumbers()
      onPublished?(nil)
    }
    onUpdate?(.publishingFailed(number: declaration.number))
  }

  // MARK: Calls

  /// Makes a call, unless one of this part is under way or held.
  ///
  /// - Parameter then: Told the answer when it is for good; then what is wanted by now is told.
  private func call<Reply>(
    _ part: Part, _ body: (GatewayLink, @escaping (Result<Reply, Status>) -> Void) -> Void,
    then: @escaping (VideoSynchronizer, Result<Reply, Status>) -> Void
  ) {
    guard let link, !held.contains(part), underWay.insert(part).inserted else { return }
    body(link) { [weak self, weak link] result in
      guard let self, let link, link === self.link else { return }
      underWay.remove(part)
      if case .failure(let status) = result {
        guard !status.isWorthRepeating else {
          held.insert(part)
          return
        }
        logger.error("The server refused a call about video: \(status)")
      }
      then(self, result)
      tell()
    }
  }
}

/// What the application wants of video, from any thread.
final class RequestedVideoBox: Sendable {
  private let wishes = Mutex(RequestedVideo())

  var value: RequestedVideo { wishes.withLock { $0 } }

  func change(_ body: (inout RequestedVideo) -> Void) { wishes.withLock { body(&$0) } }
}
