import MeetingModel

/// An operator's validated settings of a transcription.
struct TranscriptionSettings: Sendable, Hashable {
  /// The spoken language.
  var language: SpokenLanguage

  /// The name of the engine to use; `nil` for any suitable one.
  var engine: String?

  /// The processing of the text.
  var text = TextRules()

  /// The languages to offer viewers, if an engine can translate to them.
  var translations: [LanguageCode] = []

  /// The original configuration, for operators and for settings that only engines read.
  var source: ConfigurationSource

  /// The spoken language of a meeting.
  enum SpokenLanguage: Sendable, Hashable {
    /// The default language of the engine.
    case engineDefault
    case named(LanguageCode)
    /// Identified for each talker, among these if there are any; the preferred one is first.
    case identified(among: [LanguageCode])
  }

  /// Returns whether an engine is suitable for a talker who speaks `spoken`, or the meeting's
  /// language if that is `nil`.
  func suits(_ engine: EngineDescription, spoken: LanguageCode? = nil) -> Bool {
    if let name = self.engine, name != engine.name { return false }
    // Content to redact must be identified by the engine.
    if text.redacted != nil, !engine.identifiesContent { return false }
    if let spoken { return engine.language(covering: spoken) != nil }
    return switch language {
    case .engineDefault: true
    case .named(let code): engine.language(covering: code) != nil
    case .identified: engine.identifiesLanguage
    }
  }

  /// Returns the language that a suitable engine recognizes; `nil`: the engine identifies it.
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
    of stream: StreamID, in language: LanguageCode?, at engine: EngineDescription
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
