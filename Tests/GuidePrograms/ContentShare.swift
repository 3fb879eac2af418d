import CarillonClient
import Foundation

/// The code of the guide `content_share.md` for device-level capture: the application writes the
/// data for a second process to a file.
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
    // The application uses this URLRewriter, too.
    return MeetingSessionConfiguration(
      meetingId: meeting.meetingId, credentials: meeting.credentials, urls: meeting.urls,
      urlRewriter: URLRewriterUtils.defaultUrlRewriter)
  }
}

/// The second process, which shares content and never starts audio.
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
