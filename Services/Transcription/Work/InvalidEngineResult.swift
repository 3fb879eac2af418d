import MeetingModel

/// An invalid result of an engine.
///
/// The valid fields of the result identify the lost utterance.
struct InvalidEngineResult: Sendable, Hashable {
  /// The stream; `nil` if the result contains none.
  var stream: SpeechStreamID?

  var utterance: UInt64 = 0
  var isFinal = false

  /// The end of the utterance in the stream; `nil` if the end is invalid.
  var end: UInt64?

  /// The language of the text; `nil` if the text is in the stream's language.
  var language: LanguageCode?
  var isTranslation = false

  let fault: ResultFault
}
