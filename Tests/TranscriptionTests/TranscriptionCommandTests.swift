import ArgumentParser
import ServiceHost
import Testing

@testable import Transcription

@Suite struct TranscriptionCommandTests {
  @Test func `the flags set the limits and timeouts`() throws {
    let command = try TranscriptionCommand.parse([
      "--max-engines", "3", "--max-backlog-seconds", "7", "--engine-wait-seconds", "2",
      "--max-interruption-seconds", "30", "--engine-report-seconds", "1", "--recovery-seconds", "4",
    ])
    #expect(
      command.rules
        == TranscriptionRules(
          maxEngines: 3, maxBacklog: .seconds(7), engineWait: .seconds(2),
          interruptionLimit: .seconds(30), reportInterval: .seconds(1), recovery: .seconds(4)))
    #expect(try TranscriptionCommand.parse([]).rules == TranscriptionRules())
    #expect(TranscriptionCommand.serviceName == "transcription")
  }

  @Test(arguments: [
    "--max-engines=0", "--max-backlog-seconds=121", "--engine-wait-seconds=0",
    "--max-interruption-seconds=3601", "--engine-report-seconds=0", "--recovery-seconds=301",
    "--replay-events=15",
  ])
  func `a flag value outside its range is refused, and the message gives the range`(flag: String) {
    let error = #expect(throws: (any Error).self) { try TranscriptionCommand.parse([flag]) }
    let message = error.map { TranscriptionCommand.message(for: $0) } ?? ""
    #expect(message.contains("must be"))
  }
}
