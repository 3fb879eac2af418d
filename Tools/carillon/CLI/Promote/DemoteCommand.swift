internal import ArgumentParser
internal import Output
internal import Wire

/// `carillon demote`.
struct DemoteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demote",
    abstract: "Ends the promotion as an attendee of a primary meeting.",
    discussion: """
      Whoever is promoted as this attendee watches on from its replica, through whichever gateway \
      it is connected, and may be promoted again; carillon attendee delete keeps it from that. \
      Nobody being promoted is no failure: was_promoted says no.
      """)

  @Argument(
    help: "The primary meeting's id.", completion: .custom(OperatorCompletions.meetings))
  var meeting: String
  @Argument(
    help: "The id of the attendee of the primary.",
    completion: .custom(OperatorCompletions.attendees))
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
