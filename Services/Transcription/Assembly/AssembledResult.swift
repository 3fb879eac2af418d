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

/// Why an engine's result is dropped.
enum DroppedResult: String, Sendable, CaseIterable {
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
