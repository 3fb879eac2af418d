internal import ArgumentParser
internal import LocalInstallation
internal import MeetingViews
internal import Output

extension MeetingCommand {
  /// The command `carillon meeting messages`.
  struct Messages: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the stored data messages of a meeting, oldest first.",
      discussion: """
        The list contains all messages whose lifetime has not ended, whoever their recipients are. \
        Text is shown as text, other bytes in base64.
        """)

    @Argument(
      help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
    var meeting: String
    @OptionGroup var runtime: InstallationSelectionOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try await output.reportingFailure {
        let messages = try await runtime.withOperator { try await $0.messages(of: meeting) }
          .map { DisplayedDataMessage($0) }
        switch output.output {
        case .text: output.print(messages.map(\.row))
        case .json: output.print(messages.map(\.record))
        }
      }
    }
  }
}
