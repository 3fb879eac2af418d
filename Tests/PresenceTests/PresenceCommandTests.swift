import ArgumentParser
import Ownership
import ServiceHost
import Testing

@testable import Presence

@Suite struct PresenceCommandTests {
  @Test func `the flags set the limits and timeouts`() throws {
    let command = try PresenceCommand.parse([
      "--max-attendees", "20", "--drop-after-seconds", "2", "--gateway-grace-seconds", "30",
      "--recovery-seconds", "4",
    ])
    #expect(
      command.rules
        == PresenceRules(
          maxAttendees: 20,
          timing: OwnerGracePeriods(
            dropAfter: .seconds(2), gatewayGrace: .seconds(30), recovery: .seconds(4))))
    #expect(try PresenceCommand.parse([]).rules == PresenceRules())
    #expect(PresenceCommand.serviceName == "presence")
  }

  @Test(arguments: [
    "--max-attendees=1", "--max-attendees=10001", "--drop-after-seconds=0",
    "--gateway-grace-seconds=301", "--recovery-seconds=0", "--replay-events=15",
  ])
  func `a flag value outside its range is refused, and the error names the range`(flag: String) {
    let error = #expect(throws: (any Error).self) { try PresenceCommand.parse([flag]) }
    let message = error.map { PresenceCommand.message(for: $0) } ?? ""
    #expect(message.contains("must be"))
  }
}
