import MeetingModel

/// An engine's validated description of itself.
struct EngineDescription: Sendable, Hashable {
  /// The id, unique among attached engines.
  let id: String

  /// The name that configurations refer to.
  let name: String

  /// Its languages, never empty; the first is the default.
  let languages: [Language]
  let hasPartials: Bool
  let identifiesLanguage: Bool
  let identifiesContent: Bool

  /// The maximum number of streams that it processes at once.
  let maxStreams: Int

  /// Whether it uses the phrases of a configuration.
  let hasVocabulary: Bool

  /// The version, for human readers.
  let version: String

  /// A language that the engine recognizes.
  struct Language: Sendable, Hashable {
    let code: LanguageCode

    /// The languages that it can translate to.
    let translations: [LanguageCode]
  }

  /// Returns the language as which it would recognize speech in `spoken`.
  func language(covering spoken: LanguageCode) -> Language? {
    languages.first { $0.code == spoken } ?? languages.first { $0.code.covers(spoken) }
  }

  /// Returns whether it can translate from one language to another.
  func translates(_ spoken: LanguageCode, to wanted: LanguageCode) -> Bool {
    language(covering: spoken)?.translations.contains { $0 == wanted } ?? false
  }
}
