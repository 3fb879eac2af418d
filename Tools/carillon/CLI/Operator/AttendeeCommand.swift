internal import ArgumentParser
internal import LocalInstallation
internal import Output
internal import Wire

/// `carillon attendee`.
struct AttendeeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attendee", abstract: "Creates, lists, deletes and mutes attendees of a meeting.",
    discussion: "It sends attendees away, too, and allows them to come back.",
    subcommands: [
      Create.self, List.self, Delete.self, Mute.self, Kick.self, Allow.self,
    ])
}

extension AttendeeCommand {
  /// `carillon attendee create`.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Creates an attendee and shows it, with the token it joins with.")

    @Argument(
      help: "The meeting's id.", completion: .custom(OperatorCompletions.meetings))
    var meeting: String
    @Option(help: "The application's own id of the attendee, 2-64 characters.")
    var user: String
    @Option(name: .customLong("name"), help: "What people call the attendee, in any script.")
    var displayName = ""
    @Option(
      help: "Write the token to this new file, mode 0600, instead of showing it.",
      completion: .file())
    var tokenFile: String?
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      try await gateway.show(
        V1.OperatorMethods.createAttendee,
        V1.CreateAttendeeRequest(
          meetingID: meeting, externalUserID: user, displayName: displayName)
      ) { attendee in
        var record = Record(attendee)
        if let tokenFile {
          try TokenFile.write(attendee.joinToken, to: tokenFile)
          record["token_file"] = .text(tokenFile)
        } else {
          record["join_token"] = .text(attendee.joinToken)
        }
        return record
      }
    }
  }

  /// `carillon attendee list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the attendees of a meeting, present or not, in the order of creation.")

    @Argument(
      help: "The meeting's id.", completion: .custom(OperatorCompletions.meetings))
    var meeting: String
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      try await gateway.list {
        try await $0.attendees(of: meeting).map { Record($0) }
      }
    }
  }

  /// `carillon attendee delete`.
  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Deletes an attendee: its token admits nobody any more, its session ends.")

    @Argument(
      help: "The meeting's id.", completion: .custom(OperatorCompletions.meetings))
    var meeting: String
    @Argument(
      help: "The attendee's id.", completion: .custom(OperatorCompletions.attendees))
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

  /// `carillon attendee mute`.
  struct Mute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Mutes an attendee so that it cannot unmute itself, or lifts that.")

    @Argument(
      help: "The meeting's id.", completion: .custom(OperatorCompletions.meetings))
    var meeting: String
    @Argument(
      help: "The attendee's id.", completion: .custom(OperatorCompletions.attendees))
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
  /// `carillon attendee kick`.
  struct Kick: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends an attendee away: it may not come back until it is allowed to.")

    @OptionGroup var member: MemberArguments

    func run() async throws { try await member.setBarred(true) }
  }

  /// `carillon attendee allow`.
  struct Allow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Allows an attendee that was sent away to come back.")

    @OptionGroup var member: MemberArguments

    func run() async throws { try await member.setBarred(false) }
  }
}

/// The arguments that select the attendee to kick or to allow.
struct MemberArguments: ParsableArguments {
  @Argument(
    help: "The meeting's id.", completion: .custom(OperatorCompletions.meetings))
  var meeting: String
  @Argument(
    help: "The attendee's id.", completion: .custom(OperatorCompletions.attendees))
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
