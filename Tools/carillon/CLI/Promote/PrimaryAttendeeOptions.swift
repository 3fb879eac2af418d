internal import ArgumentParser
internal import Bus
internal import CarillonClientCore
internal import LocalInstallation
internal import Output
internal import Wire

/// The options that select the attendee of the primary meeting for a promotion.
struct PrimaryAttendeeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      External user id of the attendee in the primary. The command creates the attendee if the \
      primary has none with this id. Otherwise the command uses the existing attendee, and a \
      running session of this attendee ends with status 61.
      """,
      valueName: "user"))
  var guestUser = "carillon-guest"
  @Option(
    help: ArgumentHelp(
      "Use this attendee of the primary for the promotion; needs --guest-token-file.",
      valueName: "attendee"))
  var guest: String?
  @Option(
    help: ArgumentHelp("File that contains that attendee's join token.", valueName: "file"),
    completion: .file())
  var guestTokenFile: String?

  func validate() throws {
    guard (guest == nil) == (guestTokenFile == nil) else {
      throw ValidationError("--guest and --guest-token-file need each other; set both or neither.")
    }
  }

  /// Returns the credentials for a promotion.
  ///
  /// Creates the attendee in the replica's primary meeting, unless the options name an attendee.
  func credentials(
    for replica: String, _ runtime: InstallationSelectionOptions
  ) async throws -> MeetingSessionCredentials {
    if let guest, let guestTokenFile {
      return MeetingSessionCredentials(
        attendeeId: guest, externalUserId: "", joinToken: try JoinTokenFile.read(guestTokenFile))
    }
    let record = try await runtime.withOperator { connection in
      let meeting = try await connection.call(
        V1.OperatorMethods.getMeeting, V1.GetMeetingRequest(meetingID: replica))
      guard !meeting.primaryMeetingID.isEmpty else {
        throw CommandFailure.precondition(
          "\(replica) is not a replica; create a replica with `carillon meeting create --primary`.")
      }
      return try await connection.call(
        V1.OperatorMethods.createAttendee,
        V1.CreateAttendeeRequest(
          meetingID: meeting.primaryMeetingID, externalUserID: guestUser))
    }
    return MeetingSessionCredentials(
      attendeeId: record.attendeeID, externalUserId: record.externalUserID,
      joinToken: record.joinToken)
  }
}
