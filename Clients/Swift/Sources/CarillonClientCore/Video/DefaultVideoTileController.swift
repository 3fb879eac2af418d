/// The controller that forwards the application's calls to the tiles, and the application's pauses
/// to the server.
final class DefaultVideoTileController: VideoTileController {
  private let tiles: VideoTileTable
  private let lifecycle: SessionLifecycle
  private let hasMedia: Bool
  private let log: SessionLogger

  init(tiles: VideoTileTable, lifecycle: SessionLifecycle, hasMedia: Bool, log: SessionLogger) {
    self.tiles = tiles
    self.lifecycle = lifecycle
    self.hasMedia = hasMedia
    self.log = log
  }

  func bindVideoView(videoView: any VideoRenderView, tileId: Int) {
    if !hasMedia { log.noMedia("bindVideoView") }
    tiles.bind(videoView, to: tileId)
  }

  func unbindVideoView(tileId: Int) {
    tiles.unbind(tileId)
  }

  func addVideoTileObserver(observer: any VideoTileObserver) {
    tiles.observers.add(observer)
  }

  func removeVideoTileObserver(observer: any VideoTileObserver) {
    tiles.observers.remove(observer)
  }

  func pauseRemoteVideoTile(tileId: Int) {
    setPaused(true, tileId)
  }

  func resumeRemoteVideoTile(tileId: Int) {
    setPaused(false, tileId)
  }

  private func setPaused(_ isPaused: Bool, _ tileId: Int) {
    guard tiles.setPausedByUser(isPaused, tileId) else { return }
    lifecycle.want(.pause(tileId: tileId, isPaused))
  }

  func onReceiveFrame(
    frame: VideoFrame?, videoId: Int, attendeeId: String?, pauseState: VideoPauseState
  ) {
    tiles.receive(frame, of: videoId, from: attendeeId, pauseState: pauseState)
  }
}
