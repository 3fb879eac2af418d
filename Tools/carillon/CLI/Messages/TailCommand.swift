internal import ArgumentParser
internal import CarillonClientCore
internal import MeetingViews
internal import Output

/// The command `carillon tail`.
struct TailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail", abstract: "Joins a meeting and prints its data messages as they arrive.",
    discussion: """
      The stored messages of the meeting come first. Text is printed as text, other bytes in \
      base64. The command reports the state of the connection on standard error, or with --output \
      json among the messages. It leaves the meeting at Ctrl-C, and when the reader of its output \
      exits.
      """)

  @OptionGroup var attendee: AttendeeOptions
  @Option(help: ArgumentHelp("The topic; may be repeated.", valueName: "topic"))
  var topic: [String]
  @Option(help: "Leave after this number of messages.") var count: Int?
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count must be at least 1; got \(count).") }
  }

  func run() async throws {
    try await output.reportingFailure {
      let configuration = try await attendee.configuration(for: "tail")
      try await CommandSession.run(configuration, for: .showing, topics: topic) { visit in
        if let failure = await follow(visit) { throw failure }
      }
    }
  }

  /// Prints messages until the session ends, or until the command has printed the requested number
  /// of messages.
  ///
  /// - Returns: The error with which the session ended; `nil` if there was no error.
  private func follow(_ visit: CommandSession) async -> CommandFailure? {
    var printed = 0
    for await event in visit.events {
      switch event {
      case .message(let message):
        print(event, message)
        printed += 1
        if printed == count { return nil }
      case .started, .reconnecting, .reconnected, .messagesResumed: note(event)
      case .ended(let status, let name):
        note(event)
        return CommandSession.failure(status, name)
      case .attendee, .throttled, .transcript, .promotion: break
      }
    }
    return nil
  }

  private func print(_ event: ObservedEvent, _ message: DisplayedDataMessage) {
    switch output.output {
    case .text: Console.out(message.line)
    case .json: Console.out(event.record.json)
    }
  }

  private func note(_ event: ObservedEvent) {
    switch output.output {
    case .text: Console.error(event.text)
    case .json: Console.out(event.record.json)
    }
  }
}
