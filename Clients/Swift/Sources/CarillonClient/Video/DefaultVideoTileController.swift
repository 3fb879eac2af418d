/// Keeps the observers of tiles; there are no tiles in this version.
final class DefaultVideoTileController: VideoTileControllerFacade {
  private let observers = ObserverRegistry<any VideoTileObserver>()
  private let log: SessionLog

  init(log: SessionLog) {
    self.log = log
  }

  func bindVideoView(videoView: any VideoRenderView, tileId: Int) {
    log.notAvailableYet("bindVideoView")
  }

  func unbindVideoView(tileId: Int) {
    log.notAvailableYet("unbindVideoView")
  }

  func addVideoTileObserver(observer: any VideoTileObserver) {
    observers.add(observer)
  }

  func removeVideoTileObserver(observer: any VideoTileObserver) {
    observers.remove(observer)
  }

  func pauseRemoteVideoTile(tileId: Int) {
    log.notAvailableYet("pauseRemoteVideoTile")
  }

  func resumeRemoteVideoTile(tileId: Int) {
    log.notAvailableYet("resumeRemoteVideoTile")
  }
}
