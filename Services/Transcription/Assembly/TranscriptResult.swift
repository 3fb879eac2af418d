import MeetingModel

/// One utterance as readers get it, partial or final. It replaces the one before it with the same
/// id.
///
/// Times are in milliseconds since 1970-01-01T00:00:00Z.
struct TranscriptResult: Sendable, Hashable {
  /// Stays from the first partial result to the final one; at most 64 characters.
  var resultID: String

  /// Which talker's channel it is from.
  var channelID: String

  /// Whether more will come under this id.
  var isPartial: Bool
  var startMs: UInt64
  var endMs: UInt64

  /// Best first.
  var alternatives: [TranscriptAlternative]

  /// The language of the text; `nil` where nobody says.
  var language: LanguageCode?
  var identification: [IdentifiedLanguage] = []

  /// The language that was spoken, if the text is a translation.
  var translatedFrom: LanguageCode?

  /// Rises with each result of this id, from 1.
  var revision: UInt32 = 0
}

/// One reading of a result.
struct TranscriptAlternative: Sendable, Hashable {
  /// Words and signs in order of time.
  var items: [TranscriptItem]

  /// All items as one text.
  var transcript: String
  var entities: [TranscriptEntity]
}

/// One word or sign of a result.
struct TranscriptItem: Sendable, Hashable {
  var isPunctuation: Bool
  var startMs: UInt64
  var endMs: UInt64
  var speaker: ParticipantIdentity

  /// The word or sign as it is written.
  var content: String

  /// Whether a filter names it that only marks words.
  var isVocabularyFilterMatch = false

  /// Whether it will not change any more; `nil`: nobody says.
  var isStable: Bool?

  /// 0-1; `nil`: the engine does not say.
  var confidence: Double?
}

/// A piece of a reading that means something by itself: a name, a number, an address.
struct TranscriptEntity: Sendable, Hashable {
  /// The kind of entity, for example `NAME`.
  var type: String

  /// The text as it is written, or redacted.
  var content: String
  var category: SensitiveContentType
  var startMs: UInt64
  var endMs: UInt64

  /// 0-1; `nil`: the engine does not say.
  var confidence: Double?
}
