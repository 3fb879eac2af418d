internal import ArgumentParser
internal import CarillonClient
internal import Foundation

/// `carillon join`.
struct JoinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Joins a meeting and prints who comes and goes.",
    discussion: """
      Without --attendee it creates an attendee first. First come those who are there, then what \
      happens. Ctrl-C leaves.
      """)

  @Argument(help: "The meeting's id.") var meeting: String
  @Option(help: "The application's own id of the attendee that is created, 2-64 characters.")
  var user = "carillon-join"
  @Flag(help: "Mute after joining.") var mute = false
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
      let (events, arrivals) = AsyncStream.makeStream(of: ClientEvent.self)
      let client = MeetingClient(try await configuration()) { arrivals.yield($0) }
      let signals = Signals()
      try client.start()
      let end = await withTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
          guard await signals.next() != nil else { return }
          client.stop()
          if let second = await signals.next() { Foundation.exit(128 + second) }
        }
        let end = await follow(events, of: client)
        tasks.cancelAll()
        return end
      }
      if let end { throw end }
    }
  }

  /// Prints events up to the end.
  ///
  /// - Returns: What was wrong with it, or `nil` after leaving.
  private func follow(
    _ events: AsyncStream<ClientEvent>, of client: MeetingClient
  ) async -> CommandFailure? {
    for await event in events {
      print(event)
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
