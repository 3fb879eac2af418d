import CarillonClient
import Foundation

/// The code of sections 1a to 1c of the guide `api_overview.md`: creates a logger, a configuration
/// and a session.
enum CreateSession {
  static func fromResponses(
    meeting: CreateMeetingResponse, attendee: CreateAttendeeResponse
  ) -> MeetingSession {
    let logger = ConsoleLogger(name: "test", level: LogLevel.DEBUG)
    let configuration = MeetingSessionConfiguration(
      createMeetingResponse: meeting, createAttendeeResponse: attendee)
    let meetingSession = DefaultMeetingSession(configuration: configuration, logger: logger)
    return meetingSession
  }

  static func throughProxy(
    meeting: CreateMeetingResponse, attendee: CreateAttendeeResponse, logger: Logger
  ) -> MeetingSession {
    let configuration = MeetingSessionConfiguration(
      createMeetingResponse: meeting, createAttendeeResponse: attendee,
      urlRewriter: { url in
        return url.replacingOccurrences(of: "meet.example", with: "proxy.example")
      })
    return DefaultMeetingSession(
      configuration: configuration, logger: logger,
      eventReporterFactory: NoopEventReporterFactory())
  }

  static func byHand(logger: Logger) -> MeetingSession {
    let placement = MediaPlacement(
      audioFallbackUrl: "wss://meet.example/calls/1", audioHostUrl: "meet.example:7401",
      signalingUrl: "wss://meet.example/control/1", turnControlUrl: "https://meet.example/turn")
    let meeting = Meeting(
      externalMeetingId: nil, mediaPlacement: placement, mediaRegion: "local", meetingId: "1")
    let attendee = Attendee(attendeeId: "a", externalUserId: "ada", joinToken: "token")
    let configuration = MeetingSessionConfiguration(
      createMeetingResponse: CreateMeetingResponse(meeting: meeting),
      createAttendeeResponse: CreateAttendeeResponse(attendee: attendee))
    return DefaultMeetingSession(configuration: configuration, logger: logger)
  }

  /// Creates a session in another process, which reads the configuration from a store.
  static func fromStore(_ defaults: UserDefaults, logger: Logger) -> MeetingSession? {
    guard let meetingId = defaults.string(forKey: "meetingID"),
      let credentialsData = defaults.object(forKey: "credentials") as? Data,
      let urlsData = defaults.object(forKey: "urls") as? Data
    else { return nil }
    let decoder = JSONDecoder()
    guard
      let credentials = try? decoder.decode(MeetingSessionCredentials.self, from: credentialsData),
      let urls = try? decoder.decode(MeetingSessionURLs.self, from: urlsData)
    else { return nil }
    let configuration = MeetingSessionConfiguration(
      meetingId: meetingId, credentials: credentials, urls: urls,
      urlRewriter: URLRewriterUtils.defaultUrlRewriter)
    return DefaultMeetingSession(configuration: configuration, logger: logger)
  }

  static func store(_ meetingSession: MeetingSession, in defaults: UserDefaults) {
    let encoder = JSONEncoder()
    defaults.set(meetingSession.configuration.meetingId, forKey: "meetingID")
    if let credentials = try? encoder.encode(meetingSession.configuration.credentials) {
      defaults.set(credentials, forKey: "credentials")
    }
    if let urls = try? encoder.encode(meetingSession.configuration.urls) {
      defaults.set(urls, forKey: "urls")
    }
  }
}
