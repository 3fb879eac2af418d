import ArgumentParser
import Testing

@testable import CLI
@testable import Output
@testable import CarillonProgram

@Suite struct HealthCommandTests {
  @Test func `carillon health reads the instances from its command line`() throws {
    let command = try #require(
      try CarillonCommand.parseAsRoot([
        "health", "--instance", "presence-a", "--instance", "gateway-a",
      ]) as? HealthCommand)
    #expect(command.instance == ["presence-a", "gateway-a"])
    #expect(command.timeoutSeconds == 3)
  }

  @Test(arguments: [["--instance", "../x"], ["--instance", ""], ["--timeout-seconds", "0"]])
  func `carillon health refuses an invalid instance or timeout`(arguments: [String]) {
    #expect(throws: (any Error).self) {
      try CarillonCommand.parseAsRoot(["health"] + arguments)
    }
  }

  @Test(
    arguments: [
      (.ready, nil), (.notReady("bus"), .failed), (.silent("gone"), .unavailable),
    ] as [(HealthCommand.Answer.State, CommandFailure.Exit?)])
  func `the exit status distinguishes an unready instance from a silent instance`(
    state: HealthCommand.Answer.State, exit: CommandFailure.Exit?
  ) {
    let answer = HealthCommand.Answer(instance: "presence-a", state: state)
    #expect(answer.failure?.exit == exit)
    #expect(answer.record["ready"] == .bool(exit == nil))
  }

  @Test func `the exit status does not depend on the order of the instances`() {
    let answers = [
      HealthCommand.Answer(instance: "gateway-a", state: .notReady("media")),
      HealthCommand.Answer(instance: "media-a", state: .silent("gone")),
    ]
    for order in [answers, answers.reversed()] {
      #expect(HealthCommand.Answer.failure(of: order)?.exit == .unavailable)
    }
  }
}
