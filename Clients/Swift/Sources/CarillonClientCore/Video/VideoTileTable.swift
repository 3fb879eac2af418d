import Foundation

/// The tiles of a session, their states and their views.
///
/// The table adds a tile with the tile's first frame, decoded or not, or when the server reports
/// the tile as paused. The user's pause hides the server's pauses. After the user's pause ends, the
/// next report of the server applies. The table posts callbacks in the order of the events. The
/// table passes a frame to the tile's view directly after it posts the callbacks. So the view has
/// the frame of a new size before observers receive the change.
///
/// `@unchecked Sendable` because the lock guards all mutable state. Tiles use frames and views only
/// on the main thread.
final class VideoTileTable: VideoFrameReceiver, @unchecked Sendable {
  /// The server's last report about a tile.
  private struct Announced {
    let attendeeId: String
    let network: VideoPauseState
  }

  let observers = ObserverRegistry<any VideoTileObserver>()

  private let identity: LocalAttendeeIdentity
  private let statistics: MeetingStatisticsCollector
  private let log: SessionLogger
  private let lock = NSLock()
  private var tiles: [Int: DefaultVideoTile] = [:]
  private var announced: [Int: Announced] = [:]
  private var localTileId: Int?

  init(
    of identity: LocalAttendeeIdentity, statistics: MeetingStatisticsCollector, log: SessionLogger
  ) {
    self.identity = identity
    self.statistics = statistics
    self.log = log
  }

  // MARK: From the server

  func take(_ notices: [TileNotice]) {
    lock.withLock {
      for notice in notices {
        switch notice {
        case .shown(let tileId, let attendeeId, let pauseState):
          show(tileId, of: attendeeId, pauseState)
        case .ended(let tileId):
          announced[tileId] = nil
          remove(tileId)
        }
      }
    }
  }

  private func show(_ tileId: Int, of attendeeId: String, _ pauseState: VideoPauseState) {
    let isUserPause = pauseState == .pausedByUserRequest
    announced[tileId] = Announced(
      attendeeId: attendeeId, network: isUserPause ? .unpaused : pauseState)
    if let tile = tiles[tileId] {
      // The client knows about the user's pause earlier than the server, so the server's report may
      // be stale.
      if !isUserPause { setPauseState(of: tile, to: pauseState) }
    } else if pauseState != .unpaused {
      add(tileId, of: attendeeId, size: (0, 0), pauseState)
    }
  }

  // MARK: Frames, on main

  func receive(_ frame: VideoFrame, of tileId: Int) {
    guard let tile = lock.withLock({ announced[tileId] }) else { return }
    receive(frame, of: tileId, from: tile.attendeeId, pauseState: tile.network)
  }

  func receiveEncoded(width: Int, height: Int, of tileId: Int) {
    lock.withLock {
      guard let announced = announced[tileId] else { return }
      guard let tile = tiles[tileId] else {
        return add(tileId, of: announced.attendeeId, size: (width, height), announced.network)
      }
      setSize(of: tile, to: (width, height))
      setPauseState(of: tile, to: announced.network)
    }
  }

  func receiveLocal(_ frame: VideoFrame) {
    guard let tileId = lock.withLock({ localTileId }) else { return }
    receive(frame, of: tileId, from: nil, pauseState: .unpaused)
  }

  /// Handles a report of `VideoTileController`. A report without a frame and without a pause ends
  /// the tile.
  func receive(
    _ frame: VideoFrame?, of tileId: Int, from attendeeId: String?, pauseState: VideoPauseState
  ) {
    let tile = lock.withLock { () -> DefaultVideoTile? in
      guard let tile = tiles[tileId] else {
        guard frame != nil || pauseState != .unpaused else { return nil }
        add(tileId, of: attendeeId, size: (frame?.width ?? 0, frame?.height ?? 0), pauseState)
        return nil
      }
      guard frame != nil || pauseState != .unpaused else {
        remove(tileId)
        return nil
      }
      if let frame { setSize(of: tile, to: (frame.width, frame.height)) }
      setPauseState(of: tile, to: pauseState)
      return tile.state.pauseState == .unpaused ? tile : nil
    }
    if let frame { tile?.onVideoFrameReceived(frame: frame) }
  }

  // MARK: The local video

  /// Sets the tile id of the local video in the meeting. The first frame adds the tile.
  func expectLocalTile(_ tileId: Int) {
    lock.withLock {
      guard tileId != localTileId else { return }
      if let localTileId { remove(localTileId) }
      localTileId = tileId
    }
  }

  func endLocalTile() {
    lock.withLock {
      guard let tileId = localTileId else { return }
      localTileId = nil
      remove(tileId)
    }
  }

  // MARK: From the application

  func bind(_ view: any VideoRenderView, to tileId: Int) {
    lock.withLock {
      for tile in tiles.values where tile.videoRenderView === view { tile.unbind() }
      guard let tile = tiles[tileId] else { return }
      if tile.videoRenderView != nil { tile.unbind() }
      tile.bind(videoRenderView: view)
    }
  }

  func unbind(_ tileId: Int) {
    lock.withLock { tiles[tileId]?.unbind() }
  }

  /// Pauses or resumes a tile for the user.
  ///
  /// - Returns: Whether the caller must report the change to the server; `false` for the local tile
  ///   and for an unknown tile.
  func setPausedByUser(_ isPaused: Bool, _ tileId: Int) -> Bool {
    lock.withLock {
      guard let tile = tiles[tileId] else { return false }
      guard !tile.state.isLocalTile else {
        log.fault("Tile \(tileId) is the local one: stop the video instead.")
        return false
      }
      let wasPaused = tile.state.pauseState == .pausedByUserRequest
      guard isPaused != wasPaused else { return true }
      change(tile, to: isPaused ? .pausedByUserRequest : .unpaused)
      return true
    }
  }

  // MARK: The end of a session

  /// Removes all tiles.
  func clear() {
    lock.withLock {
      announced = [:]
      localTileId = nil
      for tileId in tiles.keys.sorted() { remove(tileId) }
    }
  }

  // MARK: Changes, under the lock

  private func add(
    _ tileId: Int, of attendeeId: String?, size: (width: Int, height: Int),
    _ pauseState: VideoPauseState
  ) {
    let tile = DefaultVideoTile(
      tileId: tileId, attendeeId: attendeeId ?? identity.credentials.attendeeId,
      videoStreamContentWidth: size.width, videoStreamContentHeight: size.height,
      isLocalTile: attendeeId == nil, logger: log.logger)
    tile.setPauseState(pauseState: pauseState)
    tiles[tileId] = tile
    statistics.videoTileCountDidChange(to: tiles.count)
    post(tile) { $0.videoTileDidAdd(tileState: $1) }
  }

  private func remove(_ tileId: Int) {
    guard let tile = tiles.removeValue(forKey: tileId) else { return }
    post(tile) { $0.videoTileDidRemove(tileState: $1) }
  }

  private func setSize(of tile: DefaultVideoTile, to size: (width: Int, height: Int)) {
    let state = tile.state
    guard (state.videoStreamContentWidth, state.videoStreamContentHeight) != size else { return }
    (state.videoStreamContentWidth, state.videoStreamContentHeight) = size
    post(tile) { $0.videoTileSizeDidChange(tileState: $1) }
  }

  /// Applies the server's pause or resume of a tile. The user's pause hides this state.
  private func setPauseState(of tile: DefaultVideoTile, to pauseState: VideoPauseState) {
    guard tile.state.pauseState != .pausedByUserRequest, tile.state.pauseState != pauseState
    else { return }
    change(tile, to: pauseState)
  }

  private func change(_ tile: DefaultVideoTile, to pauseState: VideoPauseState) {
    tile.setPauseState(pauseState: pauseState)
    if pauseState == .unpaused {
      post(tile) { $0.videoTileDidResume(tileState: $1) }
    } else {
      post(tile) { $0.videoTileDidPause(tileState: $1) }
    }
  }

  private func post(
    _ tile: DefaultVideoTile,
    _ notify: @escaping @Sendable (any VideoTileObserver, VideoTileState) -> Void
  ) {
    let state = tile.state
    observers.post { notify($0, state) }
  }
}
