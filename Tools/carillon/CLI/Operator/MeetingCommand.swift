internal import ArgumentParser
internal import Bus
internal import LocalInstallation
internal import Output
internal import Wire

/// `carillon meeting`.
struct MeetingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "meeting", abstract: "Creates, shows, lists and deletes meetings.",
    subcommands: [Create.self, Show.self, List.self, Messages.self, Delete.self])
}

extension MeetingCommand {
  /// `carillon meeting create`.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Creates a meeting and shows it.")

    @Option(help: "The application's own id of the meeting, 2-64 characters. Default: made up.")
    var externalID = ""
    @Option(help: "Where media should be. Default: the gateway's region.")
    var region = ""
    @Option(help: "Most attendees in it. Default: the installation's limit.")
    var maxAttendees: UInt32?
    @Option(help: "The meeting this one becomes a replica of.")
    var primary = ""
    @OptionGroup var runtime: RuntimeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      if maxAttendees == 0 { throw ValidationError("--max-attendees must be at least 1.") }
    }

    func run() async throws {
      try await output.reportingFailure {
        let request = V1.CreateMeetingRequest(
          externalMeetingID: externalID, mediaRegion: region, maxAttendees: maxAttendees ?? 0,
          primaryMeetingID: primary)
        let meeting = try await runtime.withOperator {
          try await $0.call(V1.OperatorMethods.createMeeting, request)
        }
        output.print(Record(meeting))
      }
    }
  }

  /// `carillon meeting show`.
  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows a meeting.")

    @Argument(
      help: "The meeting's id.", completion: .custom(OperatorCompletions.meetings))
    var meeting: String
    @OptionGroup var runtime: RuntimeOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try await output.reportingFailure {
        let record = try await runtime.withOperator {
          try await $0.call(
            V1.OperatorMethods.getMeeting, V1.GetMeetingRequest(meetingID: meeting))
        }
        output.print(Record(record))
      }
    }
  }

  /// `carillon meeting list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists all meetings in the order they were created.")

    @OptionGroup var runtime: RuntimeOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try await output.reportingFailure {
        let meetings = try await runtime.withOperator { try await $0.meetings() }
        output.print(meetings.map { Record($0) })
      }
    }
  }

  /// `carillon meeting delete`.
  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends a meeting: everybody in it is told, and nobody can join any more.")

    @Argument(
      help: "The meeting's id.", completion: .custom(OperatorCompletions.meetings))
    var meeting: String
    @OptionGroup var runtime: RuntimeOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try await output.reportingFailure {
        _ = try await runtime.withOperator {
          try await $0.call(
            V1.OperatorMethods.deleteMeeting, V1.DeleteMeetingRequest(meetingID: meeting))
        }
        output.print(["meeting_id": .text(meeting), "is_deleted": true])
      }
    }
  }
}
