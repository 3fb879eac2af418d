// swift-format-ignore-file
// The blocks between the marks are exact copies of the code in the guide.

import CarillonClient
import Foundation

/// The code of the guide `content_share.md` for in-app capture: this process captures the screen,
/// and shares the capture while it runs.
class ScreenShare: NSObject, CaptureSourceObserver {
  let meetingSession: MeetingSession
  let logger: Logger
  let inAppScreenCaptureSource: VideoCaptureSource

  init(meetingSession: MeetingSession, screenCaptureSource: VideoCaptureSource) {
    self.meetingSession = meetingSession
    self.logger = meetingSession.logger
    self.inAppScreenCaptureSource = screenCaptureSource
    super.init()
    screenCaptureSource.addCaptureSourceObserver(observer: self)
  }

  static func makeSource(
    logger: Logger, observer: CaptureSourceObserver
  ) -> InAppScreenCaptureSource {
// Guide: content_share.md
let inAppScreenCaptureSource = InAppScreenCaptureSource(logger: logger)
inAppScreenCaptureSource.addCaptureSourceObserver(observer: observer)
// End of the block

    return inAppScreenCaptureSource
  }

// Guide: content_share.md
func methodToStartScreenShare() {
    inAppScreenCaptureSource.start()
}

// CaptureSourceObserver
func captureDidStart() {
    logger.info(msg: "InAppScreenCaptureSource did start")
    let contentShareSource = ContentShareSource()
    contentShareSource.videoSource = inAppScreenCaptureSource
    
    // Get reference to current MeetingSession object.
    meetingSession.audioVideo.startContentShare(source: contentShareSource)
}
// End of the block

  /// Starts a content share with a maximum bitrate.
  func shareSlowly() {
    let contentShareSource = ContentShareSource()
    contentShareSource.videoSource = inAppScreenCaptureSource
// Guide: content_share.md
let contentShareConfig = LocalVideoConfiguration(maxBitRateKbps: 200)
meetingSession.audioVideo.startContentShare(source: contentShareSource, config: contentShareConfig)
// End of the block
  }

// Guide: content_share.md
func methodToStopScreenShare() {
    inAppScreenCaptureSource.stop()
}

// CaptureSourceObserver
func captureDidStop() {
    logger.info(msg: "InAppScreenCaptureSource did stop")
    
    // Get reference to current MeetingSession object.
    meetingSession.audioVideo.stopContentShare()
}

func captureDidFail(error: CaptureSourceError) {
    logger.error(msg: "InAppScreenCaptureSource did fail: \(error.description)")
    
    // Get reference to current MeetingSession object.
    meetingSession.audioVideo.stopContentShare()
}
// End of the block
}
