// swift-format-ignore-file
// The blocks between the marks are exact copies of the code in the guide.

import CarillonClient
import Foundation

/// A substitute for Apple's class `RPBroadcastSampleHandler`, which passes the content of the
/// screen to an extension.
class RPBroadcastSampleHandler: NSObject {
  func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {}
  func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {}
  func broadcastFinished() {}
  func finishBroadcastWithError(_ error: Error) {}
}

/// The code of the guide `content_share.md` for device-level capture: the second process, which
/// receives the content of the screen.
class SampleHandler: RPBroadcastSampleHandler {
  let logger: Logger
  private let path: String
  private(set) var failure: Error?

  init(storedAt path: String, logger: Logger) {
    self.path = path
    self.logger = logger
  }

  private func getSavedMeetingSessionConfig() -> MeetingSessionConfiguration? {
    return try? StoredMeeting.recreateMeetingSessionConfig(from: path)
  }

  override func finishBroadcastWithError(_ error: Error) { failure = error }

// Guide: content_share.md
var currentMeetingSession: MeetingSession?
lazy var replayKitSource: ReplayKitSource = { return ReplayKitSource(logger: logger) }()
lazy var contentShareSource: ContentShareSource = {
    let source = ContentShareSource()
    source.videoSource = replayKitSource
    return source
}()

override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    guard let config = getSavedMeetingSessionConfig() else {
        logger.error(msg: "Unable to recreate MeetingSessionConfiguration from Broadcast Extension")
        finishBroadcastWithError(NSError(domain: "AmazonChimeSDKDemoBroadcast", code: 0))
        return
    }
    currentMeetingSession = DefaultMeetingSession(configuration: config, logger: logger)
    currentMeetingSession?.audioVideo.startContentShare(source: contentShareSource)
}

override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType) {
    replayKitSource.processSampleBuffer(sampleBuffer: sampleBuffer, type: sampleBufferType)
}
// End of the block

// Guide: content_share.md
override func broadcastFinished() {
    replayKitSource.stop()
    currentMeetingSession?.audioVideo.stopContentShare()
}
// End of the block
}
