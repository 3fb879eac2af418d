import MeetingModel

/// An engine's description of itself, after validation.
struct EngineDescription: Sendable, Hashable {
  /// The id, unique among attached engines.
  let id: String

  /// The name that selects the engine in configurations.
  let name: String

  /// The engine's languages, never empty. The first language is the default.
  let languages: [Language]
  let hasPartials: Bool
  let identifiesLanguage: Bool
  let identifiesContent: Bool

  /// The maximum number of streams that the engine processes at the same time.
  let maxStreams: Int

  /// Whether the engine uses the phrases of a configuration.
  let hasVocabulary: Bool

  /// The version, for human readers.
  let version: String

  /// A language that the engine recognizes.
  struct Language: Sendable, Hashable {
    let code: LanguageCode

    /// The languages to which the engine can translate this language.
    let translations: [LanguageCode]
  }

  /// Returns the engine's language that covers speech in `spoken`; `nil` if the engine has no such
  /// language.
  func language(covering spoken: LanguageCode) -> Language? {
    languages.first { $0.code == spoken } ?? languages.first { $0.code.covers(spoken) }
  }

  /// Returns whether the engine can translate one language to another.
  func translates(_ spoken: LanguageCode, to wanted: LanguageCode) -> Bool {
    language(covering: spoken)?.translations.contains { $0 == wanted } ?? false
  }
}
