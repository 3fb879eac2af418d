internal import ArgumentParser
internal import LocalInstallation
internal import Output
internal import Wire

/// The command `carillon attendee`.
struct AttendeeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attendee", abstract: "Creates, lists, deletes and mutes attendees of a meeting.",
    discussion: "It also removes attendees from meetings, and lets removed attendees return.",
    subcommands: [
      Create.self, List.self, Delete.self, Mute.self, Kick.self, Allow.self,
    ])
}

extension AttendeeCommand {
  /// The command `carillon attendee create`.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Creates an attendee, and shows it with its join token.")

    @Argument(
      help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
    var meeting: String
    @Option(help: "External user id of the attendee, 2-64 characters.")
    var user: String
    @Option(name: .customLong("name"), help: "Display name of the attendee, in any script.")
    var displayName = ""
    @Option(
      help: "Write the join token to this new file with mode 0600, instead of showing it.",
      completion: .file())
    var tokenFile: String?
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      try await gateway.show(
        V1.OperatorMethods.createAttendee,
        V1.CreateAttendeeRequest(
          meetingID: meeting, externalUserID: user, displayName: displayName)
      ) { attendee in
        var record = OutputRecord(attendee)
        if let tokenFile {
          try JoinTokenFile.write(attendee.joinToken, to: tokenFile)
          record["token_file"] = .text(tokenFile)
        } else {
          record["join_token"] = .text(attendee.joinToken)
        }
        return record
      }
    }
  }

  /// The command `carillon attendee list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Lists the attendees of a meeting, present or absent, in the order of their creation.")

    @Argument(
      help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
    var meeting: String
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      try await gateway.list {
        try await $0.attendees(of: meeting).map { OutputRecord($0) }
      }
    }
  }

  /// The command `carillon attendee delete`.
  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Deletes an attendee. Its session ends, and its join token becomes invalid.")

    @Argument(
      help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
    var meeting: String
    @Argument(
      help: "The attendee's id.", completion: .custom(IDCompletions.attendees))
    var attendee: String
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      try await gateway.show(
        V1.OperatorMethods.deleteAttendee,
        V1.DeleteAttendeeRequest(meetingID: meeting, attendeeID: attendee)
      ) { _ in
        ["meeting_id": .text(meeting), "attendee_id": .text(attendee), "is_deleted": true]
      }
    }
  }

  /// The command `carillon attendee mute`.
  struct Mute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Mutes an attendee so that it cannot unmute itself, or lifts such a mute.")

    @Argument(
      help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
    var meeting: String
    @Argument(
      help: "The attendee's id.", completion: .custom(IDCompletions.attendees))
    var attendee: String
    @Flag(help: "Lift the mute: the attendee may unmute itself again.") var off = false
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      try await gateway.show(
        V1.OperatorMethods.setMutedByOperator,
        V1.SetMutedByOperatorRequest(meetingID: meeting, attendeeID: attendee, isMuted: !off)
      ) { _ in
        [
          "meeting_id": .text(meeting), "attendee_id": .text(attendee),
          "is_muted_by_operator": .bool(!off),
        ]
      }
    }
  }
}

extension AttendeeCommand {
  /// The command `carillon attendee kick`.
  struct Kick: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Removes an attendee, who cannot return until you run carillon attendee allow.")

    @OptionGroup var member: AttendeeArguments

    func run() async throws { try await member.setBarred(true) }
  }

  /// The command `carillon attendee allow`.
  struct Allow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lets a removed attendee return.")

    @OptionGroup var member: AttendeeArguments

    func run() async throws { try await member.setBarred(false) }
  }
}

/// The arguments that select the attendee to kick or to allow.
struct AttendeeArguments: ParsableArguments {
  @Argument(
    help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
  var meeting: String
  @Argument(
    help: "The attendee's id.", completion: .custom(IDCompletions.attendees))
  var attendee: String
  @OptionGroup var gateway: OperatorOptions

  func setBarred(_ isBarred: Bool) async throws {
    try await gateway.show(
      V1.OperatorMethods.setBarred,
      V1.SetBarredRequest(meetingID: meeting, attendeeID: attendee, isBarred: isBarred)
    ) { _ in
      [
        "meeting_id": .text(meeting), "attendee_id": .text(attendee), "is_barred": .bool(isBarred),
      ]
    }
  }
}
