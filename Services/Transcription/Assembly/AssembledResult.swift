import MeetingModel

/// A result that is to be published.
struct AssembledResult: Sendable, Hashable {
  var result: TranscriptResult

  /// The language of the text; `nil` where nobody says.
  var language: LanguageCode?
  var isTranslation: Bool
}

/// What becomes of an engine's result.
enum Assembly: Sendable, Hashable {
  /// It is published, behind those that it makes up for.
  case publish([AssembledResult])
  /// Readers would see nothing new.
  case unchanged
  case dropped(DroppedResult)
}

/// Why an engine's result, or another entry of its report, is dropped.
enum DroppedResult: String, Sendable, CaseIterable {
  /// It names no stream.
  case malformedStream = "malformed_stream"
  /// It numbers no utterance, or has no reading of one.
  case malformedUtterance = "malformed_utterance"
  /// Its times are no places in a stream, or end before they begin.
  case malformedTimes = "malformed_times"
  /// A word is empty, too long, or no text.
  case malformedWords = "malformed_words"
  /// An entity is of no kind, or not made of the words.
  case malformedEntities = "malformed_entities"
  /// A language is none, or its score is.
  case malformedLanguage = "malformed_language"
  /// It has more readings, words, entities or languages than a result may have.
  case tooLarge = "too_large"
  /// Its report has more entries than a report may have.
  case tooManyEntries = "too_many_entries"
  /// The engine does not have the stream.
  case unknownStream = "unknown_stream"
  /// The utterance is final already.
  case alreadyFinal = "already_final"
  /// Its times run backwards.
  case backwards
  /// It is about speech that the engine was not given.
  case beyondSpeech = "beyond_speech"
  /// Too many utterances of the stream are open.
  case tooManyOpen = "too_many_open"
}
