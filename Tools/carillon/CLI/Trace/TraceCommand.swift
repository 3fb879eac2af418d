internal import ArgumentParser
internal import Foundation
internal import LocalInstallation
internal import MeetingModel
internal import Output

/// The command `carillon trace`.
struct TraceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Shows what happened to an attendee's sessions, from the logs of all services.",
    discussion: """
      The services must log JSON at level debug: --log-format json --log-level debug, or \
      CARILLON_LOG_FORMAT and CARILLON_LOG_LEVEL in the environment. The command ignores text \
      before the JSON of a line. Examples: docker-compose logs --no-color | carillon trace \
      --attendee ID, and carillon up 2> log; carillon trace --attendee ID log. Logs contain the \
      first eight digits of an id, so the command shows attendees with the same first digits \
      together.
      """)

  @Option(help: "The attendee's id.", transform: { text in try AttendeeID(text) })
  var attendee: AttendeeID
  @Option(help: "Show only this meeting.", transform: { text in try MeetingID(text) })
  var meeting: MeetingID?
  @Argument(help: "Log files; - reads standard input.", completion: .file())
  var files = ["-"]
  @OptionGroup var output: OutputOptions

  private static let input = "-"

  func validate() throws {
    guard files.filter({ $0 == Self.input }).count <= 1 else {
      throw ValidationError("Name standard input (-) only once.")
    }
  }

  func run() async throws {
    try await output.reportingFailure {
      var timeline = SessionLogTimeline(of: attendee, in: meeting)
      // This command can read a file twice, but not the standard input. The first pass finds the
      // attendee's sessions.
      for file in files where file != Self.input {
        try LogFile(file).forEachEntry { timeline.learn(from: $0) }
      }
      for file in files { try LogFile(file).forEachEntry { timeline.take($0) } }
      guard !timeline.entries.isEmpty else {
        throw CommandFailure(
          code: "NOT_FOUND",
          message:
            """
            No line of these logs is about the attendee. Start the services with --log-format \
            json --log-level debug, so that their logs contain sessions.
            """)
      }
      output.print(timeline.entries.map(\.record))
      if timeline.lost > 0 {
        Console.error("carillon: \(timeline.lost) older lines were too many to keep.")
      }
    }
  }
}

/// A log file of services, or standard input.
private struct LogFile {
  private let path: String
  private static let chunk = 1 << 16

  init(_ path: String) { self.path = path }

  /// Reads all lines, one chunk at a time.
  func forEachEntry(_ body: (ServiceLogLine) -> Void) throws {
    let handle: FileHandle
    if path == "-" {
      handle = .standardInput
    } else {
      guard let file = FileHandle(forReadingAtPath: path) else {
        throw CommandFailure.precondition("\(path) cannot be read; name a readable log file.")
      }
      handle = file
    }
    var splitter = LineSplitter()
    while let bytes = try handle.read(upToCount: Self.chunk), !bytes.isEmpty {
      for line in splitter.take(bytes) { read(line, body) }
    }
    if let line = splitter.finish() { read(line, body) }
  }

  /// Decodes a line only if the line contains an id. In a busy service, most lines have no id.
  private func read(_ line: String, _ body: (ServiceLogLine) -> Void) {
    guard
      line.contains("\"session.id\"") || line.contains("\"attendee.id\"")
        || line.contains("\"trace.id\""), let entry = ServiceLogLine(line)
    else { return }
    if entry.isOfSomebody { body(entry) }
  }
}
