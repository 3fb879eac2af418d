import MeetingModel

/// One utterance as an engine heard it, checked: places are in the talker's time line.
struct HeardResult: Sendable, Hashable {
  var utterance: UInt64
  var isFinal: Bool
  var start: UInt64
  var end: UInt64

  /// Best first.
  var alternatives: [HeardAlternative]

  /// The language of the text; `nil`: the stream's.
  var language: LanguageCode?
  var identification: [IdentifiedLanguage] = []

  /// The language that was spoken, if the text is a translation.
  var translatedFrom: LanguageCode?
}

/// One reading of an utterance.
struct HeardAlternative: Sendable, Hashable {
  var words: [HeardWord]
  var entities: [HeardEntity] = []
}

/// A word or sign.
struct HeardWord: Sendable, Hashable {
  var content: String
  var start: UInt64
  var end: UInt64
  var isPunctuation = false
  var isStable: Bool?
  var confidence: Double?
}

/// Words that mean something by themselves.
struct HeardEntity: Sendable, Hashable {
  var type: String
  var category: SensitiveContentType

  /// Which words of the alternative it is.
  var words: Range<Int>
  var confidence: Double?
}

/// A language that may be the one spoken.
struct IdentifiedLanguage: Sendable, Hashable {
  var language: LanguageCode

  /// How likely it is, 0-1.
  var score: Double
}
