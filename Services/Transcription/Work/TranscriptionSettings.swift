import MeetingModel

/// An operator's settings of a transcription, after validation.
struct TranscriptionSettings: Sendable, Hashable {
  /// The spoken language.
  var language: SpokenLanguage

  /// The name of the engine to use; `nil` for any suitable engine.
  var engine: String?

  /// The rules by which the service processes the text.
  var text = TranscriptTextRules()

  /// The languages that the service offers to viewers if an engine can translate to these
  /// languages.
  var translations: [LanguageCode] = []

  /// The original configuration, for operators and for settings that only engines read.
  var source: OpaqueTranscriptionConfiguration

  /// The spoken language of a meeting.
  enum SpokenLanguage: Sendable, Hashable {
    /// The default language of the engine.
    case engineDefault
    case named(LanguageCode)
    /// The engine identifies the language of each talker. If the list is not empty, it contains the
    /// language, and starts with the preferred language.
    case identified(among: [LanguageCode])
  }

  /// Returns whether an engine is suitable for a talker who speaks `spoken`; `nil` means the
  /// meeting's language.
  func suits(_ engine: EngineDescription, spoken: LanguageCode? = nil) -> Bool {
    if let name = self.engine, name != engine.name { return false }
    // To redact content, the engine must identify the content.
    if text.redacted != nil, !engine.identifiesContent { return false }
    if let spoken { return engine.language(covering: spoken) != nil }
    return switch language {
    case .engineDefault: true
    case .named(let code): engine.language(covering: code) != nil
    case .identified: engine.identifiesLanguage
    }
  }

  /// Returns the language that a suitable engine recognizes; `nil` if the engine identifies the
  /// language.
  func language(at engine: EngineDescription, spoken: LanguageCode?) -> LanguageCode? {
    if let spoken { return spoken }
    return switch language {
    case .engineDefault: engine.languages.first?.code
    case .named(let code): code
    case .identified: nil
    }
  }

  /// Returns the parameters of a stream to an engine.
  func start(
    of stream: SpeechStreamID, in language: LanguageCode?, at engine: EngineDescription
  ) -> EngineStreamStart {
    var options: [LanguageCode] = []
    if case .identified(let among) = self.language, language == nil { options = among }
    let offered = language.map { spoken in
      translations.filter { engine.translates(spoken, to: $0) }
    }
    return EngineStreamStart(
      stream: stream, language: language, languageOptions: options,
      wantsPartials: engine.hasPartials && !text.withholdsPartials, translations: offered ?? [],
      content: text.redacted ?? text.identified, configuration: source)
  }

  /// The reason why no engine is suitable, for a human reader.
  var whyNone: String {
    let name = engine.map { "No engine named \($0)" } ?? "No engine"
    let what: String
    switch language {
    case .engineDefault: what = "is attached"
    case .named(let code): what = "that knows \(code.text) is attached"
    case .identified: what = "that identifies languages is attached"
    }
    return name + " " + what + (text.redacted == nil ? "." : ", and finds content to hide.")
  }
}
