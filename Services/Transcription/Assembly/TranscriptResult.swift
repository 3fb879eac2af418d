import MeetingModel

/// One utterance for readers, partial or final.
///
/// A result replaces the previous result that has the same id. Times are in milliseconds since
/// 1970-01-01T00:00:00Z.
struct TranscriptResult: Sendable, Hashable {
  /// The id, at most 64 characters. All partial results and the final result of an utterance have
  /// the same id.
  var resultID: String

  /// The id of the talker's channel.
  var channelID: String

  /// Whether more revisions with this id follow.
  var isPartial: Bool
  var startMs: UInt64
  var endMs: UInt64

  /// The alternatives, best first.
  var alternatives: [TranscriptAlternative]

  /// The language of the text; `nil` if unknown.
  var language: LanguageCode?
  var identification: [IdentifiedLanguage] = []

  /// The language that the talker spoke, if the text is a translation; otherwise `nil`.
  var translatedFrom: LanguageCode?

  /// The number of the revision. It rises from 1.
  var revision: UInt32 = 0
}

/// One alternative of a result.
struct TranscriptAlternative: Sendable, Hashable {
  /// The words and punctuation marks, in the order of time.
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

  /// Whether the item matches a filter that only tags words.
  var isVocabularyFilterMatch = false

  /// Whether the item is stable, and so will not change; `nil` if stability is off.
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
