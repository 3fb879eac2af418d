internal import ArgumentParser
internal import CarillonClient
internal import Foundation

/// `carillon join`.
struct JoinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Joins a meeting and shows who comes and goes.",
    discussion: """
      Without --attendee it creates an attendee first. On a terminal it shows the roster, and m \
      mutes or unmutes, l or q leaves. Elsewhere, with --plain or with --output json it prints \
      lines: first those who are there, then what happens. Ctrl-C leaves.
      """)

  @Argument(
    help: "The meeting's id.", completion: .custom(OperatorCompletions.meetings))
  var meeting: String
  @Option(help: "The application's own id of the attendee that is created, 2-64 characters.")
  var user = "carillon-join"
  @Flag(help: "Mute after joining.") var mute = false
  @Flag(help: "Print lines, on a terminal too.") var plain = false
  @Option(help: "ZeroMQ endpoint of the gateway. Default: that of the installation.")
  var gateway: String?
  @Option(help: "Join as this attendee; needs --token-file.")
  var attendee: String?
  @Option(help: "File that holds the attendee's join token.", completion: .file())
  var tokenFile: String?
  @OptionGroup var runtime: RuntimeOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (attendee == nil) == (tokenFile == nil) else {
      throw ValidationError("--attendee and --token-file need each other.")
    }
  }

  func run() async throws {
    try await output.reportingFailure {
      let configuration = try await configuration()
      let (news, arrivals) = AsyncStream.makeStream(of: JoinNews.self)
      let client = MeetingClient(configuration, onLevel: { arrivals.yield(.level($0)) }) {
        arrivals.yield(.event($0))
      }
      let signals = Signals()
      let screen = isLive ? try JoinScreen(configuration, news: arrivals) : nil
      defer { screen?.close() }
      try client.start()
      let end = await withTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
          guard await signals.next() != nil else { return }
          client.stop()
          guard let second = await signals.next() else { return }
          screen?.close()
          Foundation.exit(128 + second)
        }
        let end = await follow(news, of: client, on: screen)
        tasks.cancelAll()
        return end
      }
      screen?.close()
      if let end { throw end }
    }
  }

  /// Whether to show a full-screen view: on a terminal that can, unless lines are asked for.
  private var isLive: Bool {
    output.output == .text && !plain && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
      && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Shows what comes, up to the end.
  ///
  /// - Returns: What was wrong with it, or `nil` after leaving.
  private func follow(
    _ news: AsyncStream<JoinNews>, of client: MeetingClient, on screen: JoinScreen?
  ) async -> CommandFailure? {
    var view = screen?.view
    for await item in news {
      if let screen, var shown = view {
        screen.take(item, into: &shown, client)
        view = shown
      } else if case .event(let event) = item {
        print(event)
      }
      guard case .event(let event) = item else { continue }
      if event == .started, mute { _ = client.setMuted(true) }
      guard case .ended(let status, let name) = event else { continue }
      guard status != MeetingSessionStatusCode.ok.rawValue else { return nil }
      let isOut = status == MeetingSessionStatusCode.audioServiceUnavailable.rawValue
      return CommandFailure(
        code: name, message: "The session ended with status \(status).",
        exit: isOut ? .unavailable : .failed)
    }
    return nil
  }

  private func print(_ event: ClientEvent) {
    let record = event.record
    switch output.output {
    case .json: Console.out(record.json)
    case .text:
      let time = Date().formatted(.iso8601.time(includingFractionalSeconds: true))
      Console.out("\(time)  \(record.fields.map(\.value.text).joined(separator: "  "))")
    }
  }

  private func configuration() async throws -> MeetingSessionConfiguration {
    guard let attendee, let tokenFile else {
      let ticket = try await JoinTicket.create(in: meeting, for: user, runtime)
      return MeetingSessionConfiguration(
        meetingID: meeting, attendee: ticket.attendee, joinToken: ticket.joinToken,
        gateway: gateway ?? ticket.gateway)
    }
    let endpoint = try gateway ?? RunningGateway.find(in: runtime.places).clientEndpoint
    return MeetingSessionConfiguration(
      meetingID: meeting, attendee: AttendeeName(attendeeID: attendee, externalUserID: user),
      joinToken: try TokenFile.read(tokenFile), gateway: endpoint)
  }
}
