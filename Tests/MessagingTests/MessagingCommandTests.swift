import ArgumentParser
import MeetingModel
import ServiceHost
import Testing

@testable import Messaging

@Suite struct MessagingCommandTests {
  @Test func `the flags set the limits and timeouts`() throws {
    let command = try MessagingCommand.parse([
      "--data-message-bytes", "100", "--kept-data-messages", "8", "--data-message-lifetime-ms",
      "1000", "--resume-seconds", "3", "--data-messages-per-second", "4", "--data-message-burst",
      "5", "--attendee-flood-per-second", "6", "--attendee-flood-burst", "7",
      "--meeting-flood-per-second", "8", "--meeting-flood-burst", "9", "--idle-message-log-seconds",
      "90000",
    ])
    #expect(
      command.rules
        == MessagingRules(
          maxDataBytes: 100, maxLifetimeMs: 1_000, maxKept: 8, resumeWindowMs: 3_000,
          rate: RateLimit(perSecond: 4, burst: 5), attendeeFlood: RateLimit(perSecond: 6, burst: 7),
          meetingFlood: RateLimit(perSecond: 8, burst: 9), idleRetentionMs: 90_000_000))
    #expect(try MessagingCommand.parse([]).rules == MessagingRules())
    #expect(MessagingCommand.serviceName == "messaging")
  }

  @Test func `the default limits are the documented limits`() {
    let (rules, limits) = (MessagingRules(), InstallationLimits())
    #expect(rules.maxDataBytes == limits.maxDataMessageBytes)
    #expect(rules.maxKept == limits.maxKeptMessages)
    #expect(Duration.milliseconds(rules.maxLifetimeMs) == limits.maxMessageLifetime)
    #expect(rules.rate == limits.dataMessageRate)
    #expect(rules.attendeeFlood == limits.attendeeFloodRate)
    #expect(rules.meetingFlood == limits.meetingFloodRate)
  }

  @Test(arguments: [
    "--data-message-bytes=0", "--data-message-bytes=32769", "--kept-data-messages=0",
    "--data-message-lifetime-ms=0", "--resume-seconds=0", "--data-messages-per-second=0",
    "--data-message-burst=0", "--attendee-flood-per-second=0", "--attendee-flood-burst=1000001",
    "--meeting-flood-per-second=0", "--meeting-flood-burst=0", "--idle-message-log-seconds=86399",
  ])
  func `a flag value outside its range is refused, and the error names the range`(flag: String) {
    let error = #expect(throws: (any Error).self) { try MessagingCommand.parse([flag]) }
    let message = error.map { MessagingCommand.message(for: $0) } ?? ""
    #expect(message.contains("must be"))
  }
}
