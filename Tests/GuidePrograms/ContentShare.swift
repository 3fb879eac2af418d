import CarillonClient
import Foundation

/// The guide `content_share.md`, in application only: the screen is captured in this process, and
/// shared while it is.
class ScreenShare: NSObject, CaptureSourceObserver {
  let meetingSession: MeetingSession
  let logger: Logger
  let screenCaptureSource: VideoCaptureSource

  init(meetingSession: MeetingSession, screenCaptureSource: VideoCaptureSource) {
    self.meetingSession = meetingSession
    self.logger = meetingSession.logger
    self.screenCaptureSource = screenCaptureSource
    super.init()
    screenCaptureSource.addCaptureSourceObserver(observer: self)
  }

  func methodToStartScreenShare() {
    screenCaptureSource.start()
  }

  func methodToStopScreenShare() {
    screenCaptureSource.stop()
  }

  func captureDidStart() {
    logger.info(msg: "The capture source did start")
    let contentShareSource = ContentShareSource()
    contentShareSource.videoSource = screenCaptureSource

    let contentShareConfig = LocalVideoConfiguration(maxBitRateKbps: 200)
    meetingSession.audioVideo.startContentShare(
      source: contentShareSource, config: contentShareConfig)
  }

  func captureDidStop() {
    logger.info(msg: "The capture source did stop")
    meetingSession.audioVideo.stopContentShare()
  }

  func captureDidFail(error: CaptureSourceError) {
    logger.error(msg: "The capture source did fail: \(error.description)")
    meetingSession.audioVideo.stopContentShare()
  }
}

/// The same guide, device level: the application leaves what a second process needs in a file.
struct StoredMeeting: Codable {
  let meetingId: String
  let credentials: MeetingSessionCredentials
  let urls: MeetingSessionURLs

  static func store(_ meetingSession: MeetingSession, at path: String) throws {
    let meetingSessionConfig = meetingSession.configuration
    let meeting = StoredMeeting(
      meetingId: meetingSessionConfig.meetingId, credentials: meetingSessionConfig.credentials,
      urls: meetingSessionConfig.urls)
    try JSONEncoder().encode(meeting).write(to: URL(fileURLWithPath: path))
  }

  static func recreateMeetingSessionConfig(from path: String) throws -> MeetingSessionConfiguration
  {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let meeting = try JSONDecoder().decode(StoredMeeting.self, from: data)
    // The same URLRewriter as in the application.
    return MeetingSessionConfiguration(
      meetingId: meeting.meetingId, credentials: meeting.credentials, urls: meeting.urls,
      urlRewriter: URLRewriterUtils.defaultUrlRewriter)
  }
}

/// The second process: it shares, and never starts audio.
class BroadcastUpload: NSObject, ContentShareObserver {
  let currentMeetingSession: MeetingSession
  let contentShareSource: ContentShareSource
  let onChange: (String) -> Void

  init(
    storedAt path: String, source: VideoSource, logger: Logger,
    onChange: @escaping (String) -> Void
  ) throws {
    let config = try StoredMeeting.recreateMeetingSessionConfig(from: path)
    currentMeetingSession = DefaultMeetingSession(configuration: config, logger: logger)
    contentShareSource = ContentShareSource()
    contentShareSource.videoSource = source
    self.onChange = onChange
    super.init()
    currentMeetingSession.audioVideo.addContentShareObserver(observer: self)
  }

  func broadcastStarted() {
    currentMeetingSession.audioVideo.startContentShare(source: contentShareSource)
  }

  func broadcastFinished() {
    currentMeetingSession.audioVideo.stopContentShare()
  }

  func contentShareDidStart() {
    onChange("started")
  }

  func contentShareDidStop(status: ContentShareStatus) {
    onChange("stopped \(status.statusCode.description)")
  }
}

/// The same guide, viewing the content.
class ContentViewer: NSObject, VideoTileObserver {
  let meetingSession: MeetingSession
  let videoView: VideoRenderView
  var sharers: [String] = []

  init(meetingSession: MeetingSession, videoView: VideoRenderView) {
    self.meetingSession = meetingSession
    self.videoView = videoView
    super.init()
    meetingSession.audioVideo.addVideoTileObserver(observer: self)
  }

  func videoTileDidAdd(tileState: VideoTileState) {
    if tileState.isContent {
      sharers.append(DefaultModality(id: tileState.attendeeId).base)
      meetingSession.audioVideo.bindVideoView(videoView: videoView, tileId: tileState.tileId)
    }
  }

  func videoTileDidRemove(tileState: VideoTileState) {
    meetingSession.audioVideo.unbindVideoView(tileId: tileState.tileId)
  }

  func videoTileDidPause(tileState: VideoTileState) {}

  func videoTileDidResume(tileState: VideoTileState) {}

  func videoTileSizeDidChange(tileState: VideoTileState) {}
}
