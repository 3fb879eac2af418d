// swift-format-ignore-file
// The blocks between the marks stand as the guide has them.

import CarillonClient

/// The blocks of `api_overview.md` that are code.
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
