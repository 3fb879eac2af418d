internal import ArgumentParser
internal import CarillonClientCore
internal import LocalInstallation
internal import MeetingViews

/// The options that select the meeting and the attendee of a command.
struct AttendeeOptions: ParsableArguments {
  @Argument(
    help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
  var meeting: String
  @Option(
    name: [.customLong("user"), .customLong("as")],
    help: ArgumentHelp(
      """
      External user id of the attendee, 2-64 characters. The command creates the attendee if the \
      meeting has none with this id. Otherwise the command joins as the existing attendee, and a \
      running session of this attendee ends with status 61.
      """,
      discussion: "Default: carillon- and the command's name."))
  var user: String?
  @Option(help: "ZeroMQ endpoint of the gateway. Default: the endpoint of the installation.")
  var gateway: String?
  @Option(help: "Join as this attendee; needs --token-file.")
  var attendee: String?
  @Option(help: "File that contains the attendee's join token.", completion: .file())
  var tokenFile: String?
  @OptionGroup var runtime: InstallationSelectionOptions

  func validate() throws {
    guard (attendee == nil) == (tokenFile == nil) else {
      throw ValidationError("--attendee and --token-file need each other; set both or neither.")
    }
  }

  /// Returns a session's configuration. Creates the attendee unless the options name an attendee.
  ///
  /// - Parameter command: The command's name, which also names the attendee if the options contain
  ///   no name.
  func configuration(for command: String) async throws -> MeetingSessionConfiguration {
    let user = user ?? "carillon-\(command)"
    guard let attendee, let tokenFile else {
      let ticket = try await JoinInformation.create(in: meeting, for: user, runtime)
      return MeetingSessionConfiguration(
        meetingID: meeting, attendee: ticket.attendee, joinToken: ticket.joinToken,
        gateway: gateway ?? ticket.gateway)
    }
    let endpoint = try gateway ?? RunningGateway.find(in: runtime.places).clientEndpoint
    return MeetingSessionConfiguration(
      meetingID: meeting, attendee: AttendeeName(attendeeID: attendee, externalUserID: user),
      joinToken: try JoinTokenFile.read(tokenFile), gateway: endpoint)
  }
}
