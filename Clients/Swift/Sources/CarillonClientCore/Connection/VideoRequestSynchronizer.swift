internal import MeetingModel
internal import Synchronization
internal import Wire

/// Synchronizes the application's video requests with the server, even if the client loses
/// connections or a service is temporarily unavailable.
///
/// The synchronizer compares the requested state with the reported state, and sends the difference.
/// Each part of the state has at most one call in flight. After a temporary failure, the
/// synchronizer repeats the call after the next keep-alive. The synchronizer runs on the socket
/// thread. Only the application's requests may also change on other threads.
final class VideoRequestSynchronizer {
  private enum Part: Hashable {
    case publishing
    case subscriptions
    case receiving
    case pause(Int)
  }

  /// Called with each answer of the server that changes the session's video.
  var onUpdate: ((VideoUpdate) -> Void)?

  /// Called with the video that the session must send and the SSRCs that the server assigned; `nil`
  /// if the session must send no video.
  var onPublished: ((VideoPublication?) -> Void)?

  private let wishes: RequestedVideoBox
  private let logger: SessionLogger
  private var link: GatewayConnection?

  /// The state that the server knows.
  private var told = RequestedVideo()
  private var numbers = AssignedVideoIDs()
  private var underWay: Set<Part> = []

  /// The parts whose calls failed. The synchronizer repeats the calls of these parts after the next
  /// keep-alive.
  private var held: Set<Part> = []

  /// The tiles that the client paused or resumed, and whose state the server has reported since
  /// then.
  private var heardTiles: Set<Int> = []

  init(_ wishes: RequestedVideoBox, logger: SessionLogger) {
    self.wishes = wishes
    self.logger = logger
  }

  /// Returns the state that the client sends in `Start` after a lost connection, and marks this
  /// state as reported.
  func declare() -> V1.VideoChoices {
    let wishes = wishes.value
    told = wishes
    // `Start` does not assign a tile id and SSRCs to the published video. So the client publishes
    // the video again after `Start`, with a call whose answer contains the tile id and the SSRCs.
    // The client resumes each tile with a call, because the answer to this call states whether the
    // server has paused the tile for lack of bandwidth.
    told.published = nil
    told.pauses = wishes.pauses.filter(\.value.isPaused)
    return wishes.choices(numbers)
  }

  func begin(on link: GatewayConnection) {
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

  /// Sends each part that differs from the reported state.
  func tell() {
    guard link != nil else { return }
    let wishes = wishes.value
    tellSubscriptions(wishes)
    tellReceiving(wishes)
    for tileId in wishes.pauses.keys.sorted() { tellPause(of: tileId, wishes) }
    tellPublished(wishes)
  }

  // MARK: Events of the server

  /// Removes the subscriptions of sources that are no longer available.
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

  /// Handles the end of the published video. The server ended the video, or rejected the video in
  /// the answer to `Start`.
  func publishedVideoEnded(_ ended: V1.PublishedVideoEnded) {
    guard ended.tileID == 0 || ended.tileID == numbers.tile else { return }
    let why = ended.status.flatMap { Status($0) }?.description ?? "It is not said why."
    logger.error("The server ended the video. \(why)")
    guard let published = told.published else { return }
    fail(published)
  }

  /// Ends the published video, and removes the application's request to publish a video, because
  /// the session may no longer publish.
  func publishingEnded() {
    for declaration in Set([wishes.value.published, told.published].compactMap { $0 }) {
      fail(declaration)
    }
  }

  /// Stores the tile id and the SSRCs that the server has assigned to the published video. A new
  /// owner of the meeting's video may have assigned other values than the previous owner.
  func boardShows(_ own: V1.VideoSource) {
    // If a call is in flight, its answer contains the tile id and the SSRCs.
    guard let published = told.published, !underWay.contains(.publishing) else { return }
    let seen = AssignedVideoIDs(
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
      // Events and answers take different paths, so an event that arrived after the call may be
      // newer than the answer.
      guard !synchronizer.heardTiles.contains(tileId) else { return }
      synchronizer.onUpdate?(
        .tiles([
          .shown(
            tileId: tileId, attendeeId: state.participantID, VideoPauseState(state.pauseState))
        ]))
    }
  }

  /// Records that the server knows a pause. If the user has resumed the tile, removes the record,
  /// because the client need not report a resumed tile again.
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
        synchronizer.numbers = AssignedVideoIDs()
        synchronizer.onPublished?(nil)
        synchronizer.onUpdate?(.unpublished(number: ended.number))
      }
    }
  }

  private func wasPublished(_ declaration: VideoDeclaration, as video: V1.PublishedVideo?) {
    told.published = declaration
    if let video { numbers = AssignedVideoIDs(video) }
    onPublished?(VideoPublication(declaration, numbers))
    onUpdate?(.published(number: declaration.number, tileId: Int(numbers.tile)))
  }

  /// Ends a published video. Also removes the application's request to publish this video, unless
  /// the application has requested another video in the meantime.
  private func fail(_ declaration: VideoDeclaration) {
    wishes.change { wishes in
      if wishes.published == declaration { wishes.published = nil }
    }
    if told.published == declaration {
      told.published = nil
      numbers = AssignedVideoIDs()
      onPublished?(nil)
    }
    onUpdate?(.publishingFailed(number: declaration.number))
  }

  // MARK: Calls

  /// Makes a call for a part, unless a call for this part is in flight or waits for the next
  /// keep-alive.
  ///
  /// - Parameter then: Receives a final answer. Afterwards, the synchronizer sends all requests
  ///   that are pending at that time.
  private func call<Reply>(
    _ part: Part, _ body: (GatewayConnection, @escaping (Result<Reply, Status>) -> Void) -> Void,
    then: @escaping (VideoRequestSynchronizer, Result<Reply, Status>) -> Void
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

/// The application's video requests. Any thread may read and change these requests.
final class RequestedVideoBox: Sendable {
  private let wishes = Mutex(RequestedVideo())

  var value: RequestedVideo { wishes.withLock { $0 } }

  func change(_ body: (inout RequestedVideo) -> Void) { wishes.withLock { body(&$0) } }
}
