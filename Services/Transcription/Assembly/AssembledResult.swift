import MeetingModel

/// A result to publish.
struct AssembledResult: Sendable, Hashable {
  var result: TranscriptResult

  /// The language of the text; `nil` if unknown.
  var language: LanguageCode?
  var isTranslation: Bool
}

/// The outcome of an engine's result.
enum Assembly: Sendable, Hashable {
  /// The results to publish: this one, after those that it replaces.
  case publish([AssembledResult])
  /// Readers would see no change.
  case unchanged
  case dropped(DroppedResult)
}

/// The reason why an engine's result, or another entry of its report, is dropped.
enum DroppedResult: String, Sendable, CaseIterable {
  /// It names no stream.
  case malformedStream = "malformed_stream"
  /// It has no valid utterance number, or no alternative.
  case malformedUtterance = "malformed_utterance"
  /// Its times are no positions in a stream, or its end precedes its start.
  case malformedTimes = "malformed_times"
  /// A word is empty, too long, or contains control characters.
  case malformedWords = "malformed_words"
  /// An entity has no valid kind, or does not consist of the alternative's words.
  case malformedEntities = "malformed_entities"
  /// A language or its score is invalid.
  case malformedLanguage = "malformed_language"
  /// It has more alternatives, words, entities or languages than a result may have.
  case tooLarge = "too_large"
  /// Its report has more entries than a report may have.
  case tooManyEntries = "too_many_entries"
  /// The engine does not have the stream.
  case unknownStream = "unknown_stream"
  /// The utterance is final already.
  case alreadyFinal = "already_final"
  /// Its times run backwards.
  case backwards
  /// It covers speech that the engine was not sent.
  case beyondSpeech = "beyond_speech"
  /// Too many utterances of the stream are open.
  case tooManyOpen = "too_many_open"
}
