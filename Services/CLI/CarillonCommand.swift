public import ArgumentParser
internal import CarillonClient

/// `carillon`: runs an installation on one machine and is every tool of its operator.
public struct CarillonCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "carillon",
    abstract: "Runs and operates a Carillon installation.",
    discussion: """
      Exit statuses: 0 done, 1 failed, 64 a wrong command line, 69 the installation cannot be \
      reached; 128 plus the signal's number after a second signal.
      """,
    version: Versioning.sdkVersion(),
    subcommands: [
      UpCommand.self, DemoCommand.self, MeetingCommand.self, AttendeeCommand.self,
      RosterCommand.self, TilesCommand.self, JoinCommand.self, SendCommand.self, TailCommand.self,
      TranscriptCommand.self, ServicesCommand.self, LimitsCommand.self,
      HealthCommand.self, DoctorCommand.self, ConfigCommand.self, CompletionCommand.self,
    ])

  public init() {}
}

extension CarillonCommand {
  /// Runs the command of the process's command line, and ends the process.
  ///
  /// Main must be free meanwhile: the callbacks of sessions come there.
  @concurrent public static func main() async {
    await main(nil)
  }
}
