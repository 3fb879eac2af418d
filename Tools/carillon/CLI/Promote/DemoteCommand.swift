internal import ArgumentParser
internal import Output
internal import Wire

/// The command `carillon demote`.
struct DemoteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demote",
    abstract: "Ends the promotion of an attendee to a primary meeting.",
    discussion: """
      The client that is promoted as this attendee remains in its replica, and may be promoted \
      again. To prevent another promotion as this attendee, run carillon attendee delete. The \
      client may be connected to any gateway. \
      If nobody is promoted, the command succeeds, and was_promoted is no.
      """)

  @Argument(
    help: "The primary meeting's id.", completion: .custom(IDCompletions.meetings))
  var meeting: String
  @Argument(
    help: "The attendee's id in the primary meeting.",
    completion: .custom(IDCompletions.attendees))
  var attendee: String
  @OptionGroup var gateway: OperatorOptions

  func run() async throws {
    try await gateway.show(
      V1.OperatorMethods.demoteAttendee,
      V1.DemoteAttendeeRequest(meetingID: meeting, attendeeID: attendee)
    ) { reply in
      [
        "meeting_id": .text(meeting), "attendee_id": .text(attendee),
        "was_promoted": .bool(reply.wasPromoted),
      ]
    }
  }
}
