internal import ArgumentParser
internal import MeetingModel
internal import Output
internal import Wire

extension TranscriptCommand {
  /// The command `carillon transcript start`.
  struct Start: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Starts the transcription of a meeting, or changes its settings.",
      discussion: "All attendees of the meeting receive the state of the transcription.")

    @Argument(help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
    var meeting: String
    @Option(
      help: ArgumentHelp(
        "The spoken language, such as en-US. Default: the engine's first language.",
        valueName: "code"))
    var language: String?
    @Flag(help: "Identify the language of each talker.") var identifyLanguage = false
    @Option(
      help: ArgumentHelp(
        """
        With --identify-language: a language to choose from; give two or more.
        """, valueName: "code"))
    var languageOption: [String] = []
    @Option(help: "Name of the engine. Default: any engine that knows the language.")
    var engine: String?
    @Option(
      help: ArgumentHelp(
        "A word or phrase that the engine should recognize; may be repeated.", valueName: "text")
    )
    var phrase: [String] = []
    @Option(
      help: ArgumentHelp("A word to filter; may be repeated.", valueName: "text"))
    var filterWord: [String] = []
    @Option(
      help:
        "How the engine treats words to filter.") var filterMethod = VocabularyFilterMethod
      .mask
    @Option(
      help: ArgumentHelp(
        "A language to translate to, if the engine can; may be repeated.", valueName: "code"))
    var translateTo: [String] = []
    @Flag(help: "Hide personal information, if the engine can identify it.") var redact = false
    @Option(
      help:
        "Mark the stable words of partial results; the value sets how soon a word counts as stable."
    )
    var stability: PartialResultsStability?
    @OptionGroup var gateway: OperatorOptions

    func run() async throws {
      let request = V1.StartTranscriptionRequest(
        meetingID: meeting, configuration: transcriptionConfiguration)
      try await gateway.show(
        V1.OperatorMethods.startTranscription, request, within: .seconds(10)
      ) {
        ["meeting_id": .text(meeting), "was_running": .bool($0.wasRunning)]
      }
    }

    var transcriptionConfiguration: V1.TranscriptionConfiguration {
      V1.TranscriptionConfiguration(
        languageCode: language ?? "", isLanguageIdentified: identifyLanguage,
        languageOptions: languageOption, engine: engine ?? "", phrases: phrase,
        filteredWords: filterWord,
        vocabularyFilterMethod: filterWord.isEmpty ? .unspecified : .init(filterMethod),
        isPartialResultsStabilizationEnabled: stability != nil,
        partialResultsStability: stability.map { .init($0) } ?? .unspecified,
        contentRedaction: redact ? .pii : .unspecified, translateTo: translateTo)
    }
  }
}
