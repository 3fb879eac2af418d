import ArgumentParser
import Ownership
import Testing

@Suite struct OwnerOptionsTests {
  @Test func `the flags set the owner's time limits, and missing flags have defaults`() throws {
    let options = try OwnerOptions.parse([
      "--drop-after-seconds", "2", "--gateway-grace-seconds", "30", "--recovery-seconds", "4",
      "--replay-events", "99",
    ])
    #expect(
      options.timing
        == OwnerGracePeriods(
          dropAfter: .seconds(2), gatewayGrace: .seconds(30), recovery: .seconds(4)))
    #expect(options.recovery.replayEvents == 99)
    #expect(try OwnerOptions.parse([]).timing == OwnerGracePeriods())
  }

  @Test(arguments: [
    "--drop-after-seconds=0", "--drop-after-seconds=301", "--gateway-grace-seconds=0",
    "--gateway-grace-seconds=301", "--recovery-seconds=0", "--recovery-seconds=301",
    "--replay-events=15", "--replay-events=1000001",
  ])
  func `a flag value outside its range is refused, and the error names the flag`(flag: String) {
    let error = #expect(throws: (any Error).self) { try OwnerOptions.parse([flag]) }
    let message = error.map { OwnerOptions.message(for: $0) } ?? ""
    #expect(message.contains(flag.prefix { $0 != "=" }) && message.contains("must be"))
  }
}
