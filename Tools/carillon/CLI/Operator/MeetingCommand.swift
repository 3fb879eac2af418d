internal import ArgumentParser
internal import LocalInstallation
internal import Output
internal import Wire

/// The command `carillon meeting`.
struct MeetingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "meeting", abstract: "Creates, shows, lists, locks and deletes meetings.",
    subcommands: [
      Create.self, Show.self, List.self, Messages.self, Lock.self, Delete.self,
    ])
}

extension MeetingCommand {
  /// The command `carillon meeting create`.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Creates a meeting and shows it.")

    @Option(help: "External meeting id, 2-64 characters. Default: a random one.")
    var externalID = ""
    @Option(help: "Media region of the meeting. Default: the gateway's region.")
    var region = ""
    @Option(help: "Maximum number of attendees. Default: the installation's limit.")
    var maxAttendees: UInt32?
    @Option(help: "Id of the primary meeting, if the new meeting is a replica.")
    var primary = ""
    @OptionGroup var gateway: OperatorOptions

    func validate() throws {
      if maxAttendees == 0 { throw ValidationError("--max-attendees must be at least 1.") }
    }

    func run() async throws {
      let request = V1.CreateMeetingRequest(
        externalMeetingID: externalID, mediaRegion: region, maxAttendees: maxAttendees ?? 0,
        primaryMeetingID: primary)
      try await gateway.show(V1.OperatorMethods.createMeeting, request) { OutputRecord($0) }
    }
  }

  /// The command `carillon meeting show`.
  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows a meeting.")

    @Argument(
      help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
    var meeting: String
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      let request = V1.GetMeetingRequest(meetingID: meeting)
      try await gateway.show(V1.OperatorMethods.getMeeting, request) { OutputRecord($0) }
    }
  }

  /// The command `carillon meeting list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists all meetings in the order they were created.")

    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      try await gateway.list {
        try await $0.meetings().map { OutputRecord($0) }
      }
    }
  }

  /// The command `carillon meeting lock`.
  struct Lock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Locks a meeting, so that nobody else can join, or unlocks it.")

    @Argument(
      help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
    var meeting: String
    @Flag(help: "Unlock the meeting.") var off = false
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      let request = V1.SetLockedRequest(meetingID: meeting, isLocked: !off)
      try await gateway.show(V1.OperatorMethods.setLocked, request) { _ in
        ["meeting_id": .text(meeting), "is_locked": .bool(!off)]
      }
    }
  }

  /// The command `carillon meeting delete`.
  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends a meeting. The sessions of its attendees end, and nobody can join it again.")

    @Argument(
      help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
    var meeting: String
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      let request = V1.DeleteMeetingRequest(meetingID: meeting)
      try await gateway.show(V1.OperatorMethods.deleteMeeting, request) { _ in
        ["meeting_id": .text(meeting), "is_deleted": true]
      }
    }
  }
}
