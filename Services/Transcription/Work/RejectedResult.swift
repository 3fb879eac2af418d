import MeetingModel

/// An invalid result of an engine.
///
/// Its readable parts identify the utterance that is lost.
struct RejectedResult: Sendable, Hashable {
  /// The stream; `nil` if the result names none.
  var stream: StreamID?

  var utterance: UInt64 = 0
  var isFinal = false

  /// The end of the utterance in the stream; `nil` if it is invalid.
  var end: UInt64?

  /// The language of the text; `nil` for the stream's language.
  var language: LanguageCode?
  var isTranslation = false

  let fault: ResultFault
}
