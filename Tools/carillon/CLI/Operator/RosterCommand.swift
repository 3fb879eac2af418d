internal import ArgumentParser
internal import LocalInstallation
internal import Output
internal import Wire

/// The command `carillon roster`.
struct RosterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roster", abstract: "Lists who is in a meeting now, in the order of joining.")

  @Argument(
    help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
  var meeting: String
  @OptionGroup var gateway: OperatorOptions

  func run() async throws {
    let request = V1.GetRosterRequest(meetingID: meeting)
    try await gateway.list {
      try await $0.call(V1.OperatorMethods.getRoster, request).entries.map { OutputRecord($0) }
    }
  }
}
