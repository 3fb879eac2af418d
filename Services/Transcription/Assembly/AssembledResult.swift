import MeetingModel

/// A result to publish.
struct AssembledResult: Sendable, Hashable {
  var result: TranscriptResult

  /// The language of the text; `nil` if unknown.
  var language: LanguageCode?
  var isTranslation: Bool
}

/// The decision of the service about a result of an engine.
enum EngineResultDecision: Sendable, Hashable {
  /// Publish these results: first the final revisions of results that the engine's result replaces,
  /// and then the engine's result.
  case publish([AssembledResult])
  /// Publish nothing, because the result would change nothing for readers.
  case unchanged
  case dropped(ResultDropReason)
}

/// The reason why the service drops an engine's result, or another entry of the engine's report.
enum ResultDropReason: String, Sendable, CaseIterable {
  /// The entry contains no stream.
  case malformedStream = "malformed_stream"
  /// The result has no valid utterance number, or no alternative.
  case malformedUtterance = "malformed_utterance"
  /// The times of the result are not positions in a stream, or the end precedes the start.
  case malformedTimes = "malformed_times"
  /// A word is empty, too long, or contains control characters.
  case malformedWords = "malformed_words"
  /// An entity has no valid kind, or refers to words that the alternative does not contain.
  case malformedEntities = "malformed_entities"
  /// A language or its score is invalid.
  case malformedLanguage = "malformed_language"
  /// The result has more alternatives, words, entities or languages than allowed.
  case tooLarge = "too_large"
  /// The report has more entries than allowed.
  case tooManyEntries = "too_many_entries"
  /// The engine does not have this stream.
  case unknownStream = "unknown_stream"
  /// The utterance is already final.
  case alreadyFinal = "already_final"
  /// The utterance begins before an utterance with a lower number, or the start times of the
  /// result's words decrease.
  case backwards
  /// The result covers speech that the service has not sent to the engine.
  case beyondSpeech = "beyond_speech"
  /// The stream has too many open utterances.
  case tooManyOpen = "too_many_open"
}
