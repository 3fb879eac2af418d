// swift-format-ignore-file
// The blocks between the marks are exact copies of the code in the guide.

import CarillonClient

/// The code blocks of the guide `api_overview.md`.
enum OverviewBlocks {
  static func makeLogger() -> Logger {
// Guide: api_overview.md
let logger = ConsoleLogger(name: "test", level: LogLevel.DEBUG)
// End of the block
    return logger
  }

  static func makeSession(
    configuration: MeetingSessionConfiguration, logger: Logger
  ) -> MeetingSession {
// Guide: api_overview.md
let meetingSession = DefaultMeetingSession(configuration: configuration, logger: logger)
// End of the block
    return meetingSession
  }
}
