public import Foundation

/// Something was said.
public final class Transcript: NSObject, TranscriptEvent, Sendable {
  /// What was said, in the order it was spoken.
  public let results: [TranscriptResult]

  /// Makes a transcript, for tests of applications.
  public init(results: [TranscriptResult]) {
    self.results = results
  }
}

/// A stretch of speech. A partial one is replaced by the next of the same id.
public final class TranscriptResult: NSObject, Sendable {
  /// The same for all partial results of a stretch of speech and for the final one.
  public let resultId: String

  /// The channel of the sound; nil if the engine names none.
  public let channelId: String?

  /// Whether a better one with the same id will follow.
  public let isPartial: Bool

  /// When it began, in milliseconds since 1970.
  public let startTimeMs: Int64

  /// When it ended, in milliseconds since 1970.
  public let endTimeMs: Int64

  /// The best one first.
  public let alternatives: [TranscriptAlternative]

  /// The language of the text, as BCP 47 writes it; nil if the engine names none.
  public let languageCode: String?

  /// The languages that may have been spoken; nil if the engine does not guess.
  public let languageIdentification: [TranscriptLanguageWithScore]?

  /// Makes a result, for tests of applications.
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

/// One way to understand a stretch of speech.
public final class TranscriptAlternative: NSObject, Sendable {
  /// The words and marks of the text, in order.
  public let items: [TranscriptItem]

  /// The whole text.
  public let transcript: String

  /// Names, dates and the like in the text; nil if the engine does not look for them.
  public let entities: [TranscriptEntity]?

  /// Makes an alternative, for tests of applications.
  public init(items: [TranscriptItem], transcript: String, entities: [TranscriptEntity]?) {
    self.items = items
    self.transcript = transcript
    self.entities = entities
  }
}

/// A word or a mark, with who said it.
public final class TranscriptItem: NSObject, Sendable {
  /// Whether it is a word or a mark.
  public let type: TranscriptItemType

  /// When it began, in milliseconds since 1970.
  public let startTimeMs: Int64

  /// When it ended, in milliseconds since 1970.
  public let endTimeMs: Int64

  /// The speaker.
  public let attendee: AttendeeInfo

  /// The word or the mark itself.
  public let content: String

  /// Whether it is on a list of words to be filtered.
  public let vocabularyFilterMatch: Bool

  /// Whether it will stay as it is although its result is partial.
  public let stable: Bool?

  /// How sure the engine is, 0 to 1; nil if it does not say.
  public let confidence: Double?

  /// Makes an item, for tests of applications.
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

/// Whether an item is a word or a mark.
public enum TranscriptItemType: Int, CaseNamed {
  /// The server names a kind that this library does not know.
  case unknown = 0
  /// The item is a spoken word.
  case pronunciation = 1
  /// The item is a mark, such as a comma.
  case punctuation = 2
}

/// A name, a date or the like that was recognised as one.
public final class TranscriptEntity: NSObject, Sendable {
  /// The engine's name for this kind of entity, such as `NAME`.
  public let type: String

  /// The words of the entity.
  public let content: String

  /// The engine's name for the group of kinds, such as `PII`.
  public let category: String

  /// How sure the engine is, 0 to 1; nil if it does not say.
  public let confidence: Double?

  /// When it began, in milliseconds since 1970.
  public let startTimeMs: Int64

  /// When it ended, in milliseconds since 1970.
  public let endTimeMs: Int64

  /// Makes an entity, for tests of applications.
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

/// A language that may have been spoken.
public final class TranscriptLanguageWithScore: NSObject, Sendable {
  /// The language, as BCP 47 writes it, such as `en-US`.
  public let languageCode: String

  /// How sure the engine is, 0 to 1.
  public let score: Double

  /// Makes a guess, for tests of applications.
  public init(languageCode: String, score: Double) {
    self.languageCode = languageCode
    self.score = score
  }
}
