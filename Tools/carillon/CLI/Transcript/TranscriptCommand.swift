internal import ArgumentParser
internal import LocalInstallation
internal import Output
internal import Wire

/// The command `carillon transcript`.
struct TranscriptCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcript",
    abstract: "Starts, stops, shows and follows the live transcription of a meeting.",
    subcommands: [
      Start.self, Stop.self, Status.self, Engines.self, Language.self, TranscriptFollow.self,
    ])
}

extension TranscriptCommand {
  /// The command `carillon transcript stop`.
  struct Stop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stops the transcription of a meeting.")

    @Argument(help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
    var meeting: String
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      let request = V1.StopTranscriptionRequest(meetingID: meeting)
      try await gateway.show(V1.OperatorMethods.stopTranscription, request) {
        ["meeting_id": .text(meeting), "was_running": .bool($0.wasRunning)]
      }
    }
  }

  /// The command `carillon transcript status`.
  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Shows the state of a meeting's transcription, and how much speech waits.")

    @Argument(help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
    var meeting: String
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      let request = V1.GetTranscriptionStateRequest(meetingID: meeting)
      try await gateway.show(V1.OperatorMethods.getTranscription, request) { OutputRecord($0) }
    }
  }

  /// The command `carillon transcript engines`.
  struct Engines: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the attached engines and their capabilities.")

    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      try await gateway.list {
        try await $0.call(
          V1.OperatorMethods.listTranscriptionEngines, V1.ListEnginesRequest()
        ).engines.map { OutputRecord($0) }
      }
    }
  }

  /// The command `carillon transcript language`.
  struct Language: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Sets an attendee's language. Without a language, the meeting's language applies.")

    @Argument(help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
    var meeting: String
    @Argument(help: "The attendee's id.", completion: .custom(IDCompletions.attendees))
    var attendee: String
    @Argument(help: "The attendee's language, such as en-GB.") var language: String?
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      try await gateway.show(
        V1.OperatorMethods.setSpokenLanguage,
        V1.SetSpokenLanguageRequest(
          meetingID: meeting, attendeeID: attendee, spokenLanguage: language ?? "")
      ) { _ in
        [
          "meeting_id": .text(meeting), "attendee_id": .text(attendee),
          "spoken_language": language.map { .text($0) } ?? .null,
        ]
      }
    }
  }
}
