import MeetingModel

/// What an operator wants transcribed, and how; checked.
struct TranscriptionSettings: Sendable, Hashable {
  /// Which language is spoken.
  var language: SpokenLanguage

  /// Name of the engine to use; `nil`: any that can.
  var engine: String?

  /// What is done with the words.
  var text = TextRules()

  /// Languages to offer to viewers, where an engine can.
  var translations: [LanguageCode] = []

  /// The configuration as it came: for operators, and for what only engines read.
  var source: ConfigurationSource

  /// Which language a meeting speaks.
  enum SpokenLanguage: Sendable, Hashable {
    /// What an engine takes when none is named.
    case engineDefault
    case named(LanguageCode)
    /// Found out for each talker, among these if there are any; the preferred one is the first.
    case identified(among: [LanguageCode])
  }

  /// Whether an engine can do what is asked for, for a talker who speaks `spoken`, or the meeting's
  /// language if that is `nil`.
  func suits(_ engine: EngineDescription, spoken: LanguageCode? = nil) -> Bool {
    if let name = self.engine, name != engine.name { return false }
    // Content that is to be hidden must be found by somebody.
    if text.redacted != nil, !engine.identifiesContent { return false }
    if let spoken { return engine.language(covering: spoken) != nil }
    return switch language {
    case .engineDefault: true
    case .named(let code): engine.language(covering: code) != nil
    case .identified: engine.identifiesLanguage
    }
  }

  /// What speech is heard as by an engine that suits; `nil`: the engine finds out.
  func language(at engine: EngineDescription, spoken: LanguageCode?) -> LanguageCode? {
    if let spoken { return spoken }
    return switch language {
    case .engineDefault: engine.languages.first?.code
    case .named(let code): code
    case .identified: nil
    }
  }

  /// How an engine is told of a stream.
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

  /// Why no engine does it, for a person.
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
