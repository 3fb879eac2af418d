import CarillonClient
import Foundation

/// The code of section 8 of the guide `api_overview.md`: sends the local video, and receives and
/// shows the videos of others.
class ShareVideo: NSObject {
  let meetingSession: MeetingSession
  let logger: Logger
  var views: [Int: DefaultVideoRenderView] = [:]

  init(meetingSession: MeetingSession) {
    self.meetingSession = meetingSession
    self.logger = meetingSession.logger
    super.init()
    meetingSession.audioVideo.addVideoTileObserver(observer: self)
  }

  func sendCamera() {
    do {
      try meetingSession.audioVideo.startLocalVideo()
    } catch PermissionError.videoPermissionError {
      logger.error(msg: "The camera may not be used")
    } catch {
      logger.error(msg: "No camera: \(error)")
    }
  }

  func sendSlowly() throws {
    let config = LocalVideoConfiguration(maxBitRateKbps: 300, simulcastEnabled: false)
    try meetingSession.audioVideo.startLocalVideo(config: config)
  }

  func send(_ source: VideoSource) {
    source.videoContentHint = .motion
    meetingSession.audioVideo.startLocalVideo(source: source)
  }

  func watch() {
    meetingSession.audioVideo.startRemoteVideo()
  }

  /// Stops sending and receiving video while the application is in the background.
  func rest() {
    meetingSession.audioVideo.stopLocalVideo()
    meetingSession.audioVideo.stopRemoteVideo()
  }
}

extension ShareVideo: VideoTileObserver {
  func videoTileDidAdd(tileState: VideoTileState) {
    let view = DefaultVideoRenderView()
    view.mirror = tileState.isLocalTile
    views[tileState.tileId] = view
    meetingSession.audioVideo.bindVideoView(videoView: view, tileId: tileState.tileId)
  }

  func videoTileDidRemove(tileState: VideoTileState) {
    meetingSession.audioVideo.unbindVideoView(tileId: tileState.tileId)
    views[tileState.tileId] = nil
  }

  func videoTileDidPause(tileState: VideoTileState) {
    if tileState.pauseState == .pausedForPoorConnection {
      logger.info(msg: "Tile \(tileState.tileId) waits for a better connection")
    }
  }

  func videoTileDidResume(tileState: VideoTileState) {}

  func videoTileSizeDidChange(tileState: VideoTileState) {
    let size = "\(tileState.videoStreamContentWidth)x\(tileState.videoStreamContentHeight)"
    logger.info(msg: "Tile \(tileState.tileId) is \(size)")
  }
}
