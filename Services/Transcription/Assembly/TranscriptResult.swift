import MeetingModel

/// One utterance for readers, partial or final.
///
/// It replaces the previous result with the same id.
///
/// Times are in milliseconds since 1970-01-01T00:00:00Z.
struct TranscriptResult: Sendable, Hashable {
  /// The id, which stays the same from the first partial result to the final one; at most 64
  /// characters.
  var resultID: String

  /// The channel of the talker.
  var channelID: String

  /// Whether more revisions follow under this id.
  var isPartial: Bool
  var startMs: UInt64
  var endMs: UInt64

  /// The alternatives, best first.
  var alternatives: [TranscriptAlternative]

  /// The language of the text; `nil` if unknown.
  var language: LanguageCode?
  var identification: [IdentifiedLanguage] = []

  /// The language that was spoken, if the text is a translation.
  var translatedFrom: LanguageCode?

  /// The number of the revision, which rises from 1.
  var revision: UInt32 = 0
}

/// One alternative of a result.
struct TranscriptAlternative: Sendable, Hashable {
  /// Words and punctuation marks in order of time.
  var items: [TranscriptItem]

  /// All items as one text.
  var transcript: String
  var entities: [TranscriptEntity]
}

/// One word or punctuation mark of a result.
struct TranscriptItem: Sendable, Hashable {
  var isPunctuation: Bool
  var startMs: UInt64
  var endMs: UInt64
  var speaker: ParticipantIdentity

  /// The text of the word or mark.
  var content: String

  /// Whether it matches a filter that only tags words.
  var isVocabularyFilterMatch = false

  /// Whether it is stable and will not change; `nil` if stability is off.
  var isStable: Bool?

  /// The confidence, 0-1; `nil` if the engine reports none.
  var confidence: Double?
}

/// A name, a number, an address or another entity in an alternative.
struct TranscriptEntity: Sendable, Hashable {
  /// The kind of entity, for example `NAME`.
  var type: String

  /// The text, or its redaction.
  var content: String
  var category: SensitiveContentType
  var startMs: UInt64
  var endMs: UInt64

  /// The confidence, 0-1; `nil` if the engine reports none.
  var confidence: Double?
}
