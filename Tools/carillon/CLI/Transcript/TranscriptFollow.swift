internal import ArgumentParser
internal import CarillonClientCore
internal import MeetingModel
internal import MeetingViews
internal import Output

/// The command `carillon transcript follow`.
struct TranscriptFollow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Joins a meeting and prints its captions as they arrive.",
    discussion: """
      The times of captions begin when the command joins the meeting. Each caption has at most two \
      lines of 42 characters, as broadcasters use. The command reports the state of the connection \
      and of the transcription on standard error, or with --format json among the captions. Ctrl-C \
      leaves the meeting.
      """)

  @OptionGroup var attendee: AttendeeOptions
  @Option(help: "Format of the captions.") var format = CaptionFormat.text
  @Flag(help: "Also print partial results; with text and json.") var partials = false
  @Option(
    help: ArgumentHelp(
      """
      Print only captions in this language, spoken or translated, such as en-US.
      """, valueName: "code"))
  var language: String?
  @Option(help: "Leave after this number of utterances.") var count: Int?

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count must be at least 1; got \(count).") }
    if partials, format == .vtt || format == .srt {
      throw ValidationError("--partials works with --format text and json only.")
    }
  }

  func run() async throws {
    try await (format == .json ? OutputFormat.json : .text).reportingFailure {
      let configuration = try await attendee.configuration(for: "transcript")
      try await CommandSession.run(
        configuration, for: .showing, transcripts: TranscriptViewOptions(language: language)
      ) { visit in
        if let failure = await follow(visit) { throw failure }
      }
    }
  }

  /// Writes transcript lines until the session ends, or until the command has written the requested
  /// number of utterances.
  ///
  /// - Returns: The error with which the session ended; `nil` if there was no error.
  private func follow(_ visit: CommandSession) async -> CommandFailure? {
    var writer = CaptionWriter(
      format, originMs: Int64(WallClock.nowMs), hasPartials: partials)
    if let header = writer.header { Console.out(header) }
    var written = 0
    for await event in visit.events {
      switch event {
      case .transcript(let line):
        if let text = writer.write(line) { Console.out(text) } else { note(event) }
        if case .result(let result) = line, !result.isPartial { written += 1 }
        if written == count { return nil }
      case .started, .reconnecting, .reconnected: note(event)
      case .ended(let status, let name):
        note(event)
        return CommandSession.failure(status, name)
      case .attendee, .message, .throttled, .messagesResumed, .promotion: break
      }
    }
    return nil
  }

  private func note(_ event: ObservedEvent) {
    if case .transcript(.result) = event { return }
    if format == .json { Console.out(event.record.json) } else { Console.error(event.text) }
  }
}
