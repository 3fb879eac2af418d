public import Foundation

/// A transcript event with recognized speech.
public final class Transcript: NSObject, TranscriptEvent, Sendable {
  /// The results, in the order of speech.
  public let results: [TranscriptResult]

  /// Creates a transcript, for tests of applications.
  public init(results: [TranscriptResult]) {
    self.results = results
  }
}

/// A segment of speech. If this result is partial, the next result with the same id replaces this
/// result.
public final class TranscriptResult: NSObject, Sendable {
  /// The id that all partial results and the final result of a segment share.
  public let resultId: String

  /// The audio channel; `nil` if the engine names none.
  public let channelId: String?

  /// Whether a better result with the same id will follow.
  public let isPartial: Bool

  /// The start of the speech, in milliseconds since 1970.
  public let startTimeMs: Int64

  /// The end of the speech, in milliseconds since 1970.
  public let endTimeMs: Int64

  /// The alternatives, the best alternative first.
  public let alternatives: [TranscriptAlternative]

  /// The language of the text, as a BCP 47 code; nil if the engine names none.
  public let languageCode: String?

  /// The languages that the attendee may have spoken; nil if the engine does not identify
  /// languages.
  public let languageIdentification: [TranscriptLanguageWithScore]?

  /// Creates a result, for tests of applications.
  public init(
    resultId: String, channelId: String?, isPartial: Bool, startTimeMs: Int64, endTimeMs: Int64,
    alternatives: [TranscriptAlternative], languageCode: String?,
    languageIdentification: [TranscriptLanguageWithScore]?
  ) {
    self.resultId = resultId
    self.channelId = channelId
    self.isPartial = isPartial
    self.startTimeMs = startTimeMs
    self.endTimeMs = endTimeMs
    self.alternatives = alternatives
    self.languageCode = languageCode
    self.languageIdentification = languageIdentification
  }
}

/// One interpretation of a segment of speech.
public final class TranscriptAlternative: NSObject, Sendable {
  /// The words and punctuation marks of the text, in order.
  public let items: [TranscriptItem]

  /// The whole text.
  public let transcript: String

  /// The names, dates and other entities in the text; nil if the engine does not detect entities.
  public let entities: [TranscriptEntity]?

  /// Creates an alternative, for tests of applications.
  public init(items: [TranscriptItem], transcript: String, entities: [TranscriptEntity]?) {
    self.items = items
    self.transcript = transcript
    self.entities = entities
  }
}

/// A word or a punctuation mark, with its speaker.
public final class TranscriptItem: NSObject, Sendable {
  /// Whether the item is a word or a punctuation mark.
  public let type: TranscriptItemType

  /// The start of the speech, in milliseconds since 1970.
  public let startTimeMs: Int64

  /// The end of the speech, in milliseconds since 1970.
  public let endTimeMs: Int64

  /// The speaker.
  public let attendee: AttendeeInfo

  /// The text of the word or of the mark.
  public let content: String

  /// Whether the item matches the engine's vocabulary filter.
  public let vocabularyFilterMatch: Bool

  /// Whether the item is final although its result is partial; nil if the engine does not report
  /// this property.
  public let stable: Bool?

  /// The confidence of the engine, 0 to 1; nil if the engine reports none.
  public let confidence: Double?

  /// Creates an item, for tests of applications.
  public init(
    type: TranscriptItemType, startTimeMs: Int64, endTimeMs: Int64, attendee: AttendeeInfo,
    content: String, vocabularyFilterMatch: Bool, stable: Bool?, confidence: Double?
  ) {
    self.type = type
    self.startTimeMs = startTimeMs
    self.endTimeMs = endTimeMs
    self.attendee = attendee
    self.content = content
    self.vocabularyFilterMatch = vocabularyFilterMatch
    self.stable = stable
    self.confidence = confidence
  }
}

/// The kinds of transcript items.
public enum TranscriptItemType: Int, CaseNamed {
  /// The server reports a kind that this library does not know.
  case unknown = 0
  /// The item is a spoken word.
  case pronunciation = 1
  /// The item is a punctuation mark, such as a comma.
  case punctuation = 2
}

/// A name, a date or another entity that the engine recognized.
public final class TranscriptEntity: NSObject, Sendable {
  /// The engine's name for this kind of entity, such as `NAME`.
  public let type: String

  /// The words of the entity.
  public let content: String

  /// The engine's name for the category to which the kind of the entity belongs, such as `PII`.
  public let category: String

  /// The confidence of the engine, 0 to 1; nil if the engine reports none.
  public let confidence: Double?

  /// The start of the speech, in milliseconds since 1970.
  public let startTimeMs: Int64

  /// The end of the speech, in milliseconds since 1970.
  public let endTimeMs: Int64

  /// Creates an entity, for tests of applications.
  public init(
    type: String, content: String, category: String, confidence: Double?, startTimeMs: Int64,
    endTimeMs: Int64
  ) {
    self.type = type
    self.content = content
    self.category = category
    self.confidence = confidence
    self.startTimeMs = startTimeMs
    self.endTimeMs = endTimeMs
  }
}

/// A language that the attendee may have spoken.
public final class TranscriptLanguageWithScore: NSObject, Sendable {
  /// The language, as a BCP 47 code such as `en-US`.
  public let languageCode: String

  /// The engine's confidence, 0 to 1.
  public let score: Double

  /// Creates a language with its score, for tests of applications.
  public init(languageCode: String, score: Double) {
    self.languageCode = languageCode
    self.score = score
  }
}
