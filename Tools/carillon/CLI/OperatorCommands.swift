public import ArgumentParser

/// The commands of the program `carillon`, in the order of its help.
public enum OperatorCommands {
  /// The command that runs an installation.
  public static let up: any ParsableCommand.Type = UpCommand.self
  /// The commands for holding meetings and operating an installation.
  public static let all: [any ParsableCommand.Type] = [
    MeetingCommand.self, AttendeeCommand.self, RosterCommand.self, TilesCommand.self,
    JoinCommand.self, SendCommand.self, TailCommand.self, PromoteCommand.self,
    DemoteCommand.self, TranscriptCommand.self, ServicesCommand.self, DrainCommand.self,
    UndrainCommand.self, LimitsCommand.self, AttendanceCommand.self, EventsCommand.self,
    WebhooksCommand.self, EraseCommand.self, KeysCommand.self, HealthCommand.self,
    MetricsCommand.self, TopCommand.self, TraceCommand.self, LoadCommand.self, DoctorCommand.self,
    ConfigCommand.self,
  ]
}
