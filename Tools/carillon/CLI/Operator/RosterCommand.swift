internal import ArgumentParser
internal import Bus
internal import LocalInstallation
internal import Output
internal import Wire

/// `carillon roster`.
struct RosterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roster", abstract: "Lists who is in a meeting now, in the order they joined.")

  @Argument(
    help: "The meeting's id.", completion: .custom(OperatorCompletions.meetings))
  var meeting: String
  @OptionGroup var runtime: RuntimeOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await output.reportingFailure {
      let roster = try await runtime.withOperator {
        try await $0.call(V1.OperatorMethods.getRoster, V1.GetRosterRequest(meetingID: meeting))
      }
      output.print(roster.entries.map { Record($0) })
    }
  }
}
