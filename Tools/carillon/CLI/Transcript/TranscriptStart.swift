internal import ArgumentParser
internal import MeetingModel
internal import Output
internal import Wire

extension TranscriptCommand {
  /// `carillon transcript start`.
  struct Start: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Starts transcribing a meeting, or replaces what is wanted of it.",
      discussion: "Whether an engine runs is told to everybody in the meeting.")

    @Argument(help: "The meeting's id.", completion: .custom(OperatorCompletions.meetings))
    var meeting: String
    @Option(
      help: ArgumentHelp(
        "The language that is spoken, such as en-US. Without it, the engine's first.",
        valueName: "code"))
    var language: String?
    @Flag(help: "Find out which language each talker speaks.") var identifyLanguage = false
    @Option(
      help: ArgumentHelp(
        "With --identify-language: a language to choose from; two or more.", valueName: "code"))
    var languageOption: [String] = []
    @Option(help: "Name of the engine to use. Without it, any that knows the language.")
    var engine: String?
    @Option(
      help: ArgumentHelp(
        "An extra word or phrase to listen for; may be repeated.", valueName: "text")
    )
    var phrase: [String] = []
    @Option(
      help: ArgumentHelp("A word to filter; may be repeated.", valueName: "text"))
    var filterWord: [String] = []
    @Option(help: "What is done with words to filter.") var filterMethod = VocabularyFilterMethod
      .mask
    @Option(
      help: ArgumentHelp(
        "A language to offer to viewers, if an engine can; may be repeated.", valueName: "code"))
    var translateTo: [String] = []
    @Flag(help: "Hide what identifies a person, if an engine can find it.") var redact = false
    @Option(help: "Tell which words of partial results are stable, and how soon.")
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
