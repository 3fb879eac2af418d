internal import ArgumentParser
internal import CarillonClientCore
internal import MeetingViews
internal import Output

/// The command `carillon promote`.
struct PromoteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "promote",
    abstract: "Joins a replica meeting, and is promoted to its primary meeting for a time.",
    discussion: """
      Without --attendee and --guest, the command creates an attendee in the replica and one in \
      the primary. It prints who is in the primary, and each event there. After --for, it ends the \
      promotion and leaves; Ctrl-C leaves at once. If the promotion is refused or ends early, the \
      command fails and prints the session status. carillon demote ends a promotion from outside.
      """)

  @OptionGroup var attendee: AttendeeOptions
  @OptionGroup var guest: PrimaryAttendeeOptions
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      """
      Duration of the promotion in seconds. Default: until the meeting ends.
      """, valueName: "seconds"))
  var seconds: Double?
  @Option(
    help: ArgumentHelp(
      "Also show data messages with this topic; may be repeated.", valueName: "topic"))
  var topic: [String] = []
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let seconds, !(seconds > 0 && seconds <= 86_400) {
      throw ValidationError("--for must be more than 0 and at most 86400; got \(seconds).")
    }
  }

  func run() async throws {
    try await output.reportingFailure {
      let credentials = try await guest.credentials(for: attendee.meeting, attendee.runtime)
      let configuration = try await attendee.configuration(for: "promote")
      try await CommandSession.run(configuration, for: .showing, topics: topic) { visit in
        try await withThrowingTaskGroup(of: Void.self) { tasks in
          defer { tasks.cancelAll() }
          try await follow(visit, as: credentials) {
            tasks.addTask { try await demoteLater(visit.client) }
          }
        }
      }
    }
  }

  private func demoteLater(_ client: MeetingEventClient) async throws {
    guard let seconds else { return }
    try await Task.sleep(for: .seconds(seconds))
    client.demote()
  }

  /// Prints events, and requests the promotion as soon as the session has started.
  ///
  /// - Parameter promoted: Called when the promotion succeeds.
  private func follow(
    _ visit: CommandSession, as credentials: MeetingSessionCredentials, promoted: () -> Void
  ) async throws {
    for await event in visit.events {
      output.print(event)
      switch event {
      case .started:
        visit.client.promote(as: credentials)
      case .promotion(.promoted, _, let status, let name):
        if let failure = Self.failure("The server refused the promotion", status, name) {
          throw failure
        }
        promoted()
      case .promotion(.demoted, _, let status, let name):
        if let failure = Self.failure("The server ended the promotion", status, name) {
          throw failure
        }
        return
      case .ended(let status, let name):
        if let failure = CommandSession.failure(status, name) { throw failure }
        return
      case .reconnecting, .reconnected, .attendee, .message, .throttled, .messagesResumed,
        .transcript:
        continue
      }
    }
  }

  /// Returns the error of an ended promotion; `nil` for a requested end.
  private static func failure(_ what: String, _ status: Int, _ name: String) -> CommandFailure? {
    guard status != MeetingSessionStatusCode.ok.rawValue else { return nil }
    return CommandFailure(code: name, message: "\(what) with status \(status).")
  }
}
