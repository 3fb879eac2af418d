import MeetingModel

/// One utterance that an engine recognized, after validation.
///
/// Positions count samples of the engine's stream. After ``moved(by:)``, the positions count
/// samples of the talker's timeline.
struct EngineResult: Sendable, Hashable {
  var utterance: UInt64
  var isFinal: Bool
  var start: UInt64
  var end: UInt64

  /// The alternatives, best first.
  var alternatives: [EngineAlternative]

  /// The language of the text; `nil` if the text is in the stream's language.
  var language: LanguageCode?
  var identification: [IdentifiedLanguage] = []

  /// The language that the talker spoke, if the text is a translation; otherwise `nil`.
  var translatedFrom: LanguageCode?
}

/// One alternative of an utterance.
struct EngineAlternative: Sendable, Hashable {
  var words: [EngineWord]
  var entities: [EngineEntity] = []
}

/// A word or punctuation mark.
struct EngineWord: Sendable, Hashable {
  var content: String
  var start: UInt64
  var end: UInt64
  var isPunctuation = false
  var isStable: Bool?
  var confidence: Double?
}

/// Words that form a name, a number or another entity.
struct EngineEntity: Sendable, Hashable {
  var type: String
  var category: SensitiveContentType

  /// The range of the entity's words in the alternative.
  var words: Range<Int>
  var confidence: Double?
}

/// A candidate for the spoken language.
struct IdentifiedLanguage: Sendable, Hashable {
  var language: LanguageCode

  /// The probability, 0-1.
  var score: Double
}
