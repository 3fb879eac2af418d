internal import ArgumentParser
internal import CarillonClientCore
internal import Foundation
internal import MeetingModel
internal import MeetingViews
internal import Output

/// The command `carillon send`.
struct SendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Joins a meeting, sends one data message, and leaves.",
    discussion: """
      The message is the text, the bytes of a file, or, for the text -, the bytes of standard \
      input. It has at most 2048 bytes. Exit status 0 if the meeting's log contains the message, \
      else 1. The error `throttled` means that the meeting has too many messages; this one was not \
      delivered.
      """)

  @OptionGroup var attendee: AttendeeOptions
  @Argument(help: "The text; - reads standard input.") var text: String?
  @Option(help: "The topic: 1-36 letters, digits, _ or -.") var topic: String
  @Option(
    help: ArgumentHelp(
      "Send this JSON object or array unchanged, instead of a text.", valueName: "text"))
  var json: String?
  @Option(help: "Send the bytes of this file instead of a text.", completion: .file())
  var file: String?
  @Option(
    help: """
      Milliseconds for which late joiners receive the message. A lifetime above \
      --data-message-lifetime-ms of messaging counts as this limit, by default 300000.
      """)
  var lifetimeMs: Int32 = 0
  @Option(
    help: ArgumentHelp(
      "Send the message only to this attendee; may be repeated.", valueName: "attendee"),
    completion: .custom(IDCompletions.attendees))
  var to: [String] = []
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard [text, json, file].count(where: { $0 != nil }) == 1 else {
      throw ValidationError("Give one of: a text, - for standard input, --json, --file.")
    }
    guard topic.wholeMatch(of: /[A-Za-z0-9_\-]{1,36}/) != nil else {
      throw ValidationError("--topic must be 1-36 letters, digits, _ or -; got \(topic).")
    }
    guard lifetimeMs >= 0 else {
      throw ValidationError("--lifetime-ms must not be negative; got \(lifetimeMs).")
    }
    if let stranger = to.first(where: { (try? AttendeeID($0)) == nil }) {
      throw ValidationError("--to must be an attendee's id; got \(stranger).")
    }
  }

  /// The payload to send.
  var payload: MessagePayloadSource {
    if let json { return .json(json) }
    if let file { return .file(file) }
    return text == "-" ? .standardInput : .text(text ?? "")
  }

  func run() async throws {
    try await output.reportingFailure {
      // The command reads the payload first, so that it creates no attendee for an invalid payload.
      let data = try await payload.bytes()
      let configuration = try await attendee.configuration(for: "send")
      let outcome = try await CommandSession.run(configuration, for: .doing) { visit in
        try await visit.waitUntilStarted()
        return try await send(data, by: visit.client)
      }
      output.print(record(outcome))
      guard case .accepted = outcome else { throw ExitCode(CommandFailure.Exit.failed.rawValue) }
    }
  }

  /// The outcome of sending the message.
  enum Outcome: Hashable {
    case accepted(DataMessageReceipt)
    case throttled(retryAfterMs: Int)
  }

  private func send(_ data: [UInt8], by client: MeetingEventClient) async throws -> Outcome {
    do {
      return .accepted(try await client.send(data, on: topic, lifetimeMs: lifetimeMs, to: to))
    } catch DataMessageFailure.throttled(let retryAfterMs) {
      return .throttled(retryAfterMs: retryAfterMs)
    } catch {
      throw CommandFailure(sending: error)
    }
  }

  /// Returns the record that the command prints for an outcome.
  func record(_ outcome: Outcome) -> OutputRecord {
    var record: OutputRecord = ["meeting_id": .text(attendee.meeting), "topic": .text(topic)]
    switch outcome {
    case .accepted(let receipt):
      record["outcome"] = "accepted"
      record["sequence"] = JSONValue(receipt.sequence)
      record["message_id"] = .text(receipt.messageId)
      record["timestamp_ms"] = JSONValue(receipt.timestampMs)
    case .throttled(let retryAfterMs):
      record["outcome"] = "throttled"
      record["retry_after_ms"] = JSONValue(retryAfterMs)
    }
    return record
  }
}
