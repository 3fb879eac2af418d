import MeetingModel

/// An engine as it describes itself, checked.
struct EngineDescription: Sendable, Hashable {
  /// Unique among the engines that are attached.
  let id: String

  /// What a configuration names it by.
  let name: String

  /// First the one it takes when none is named; never empty.
  let languages: [Language]
  let hasPartials: Bool
  let identifiesLanguage: Bool
  let identifiesContent: Bool

  /// How many streams it hears at the same time.
  let maxStreams: Int

  /// Whether it uses phrases that a configuration names.
  let hasVocabulary: Bool

  /// The version, for people.
  let version: String

  /// A language it knows.
  struct Language: Sendable, Hashable {
    let code: LanguageCode

    /// What it can deliver besides.
    let translations: [LanguageCode]
  }

  /// The language that it would hear speech in `spoken` as.
  func language(covering spoken: LanguageCode) -> Language? {
    languages.first { $0.code == spoken } ?? languages.first { $0.code.covers(spoken) }
  }

  /// Whether it can translate what is spoken in one language to another.
  func translates(_ spoken: LanguageCode, to wanted: LanguageCode) -> Bool {
    language(covering: spoken)?.translations.contains { $0 == wanted } ?? false
  }
}
