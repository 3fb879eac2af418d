import MeetingModel

/// A result of an engine that cannot be what it says.
///
/// What can be read of it says which utterance it costs.
struct RejectedResult: Sendable, Hashable {
  /// The stream. `nil`: it names none.
  var stream: StreamID?

  var utterance: UInt64 = 0
  var isFinal = false

  /// The end of the utterance, in the stream. `nil`: it is no place.
  var end: UInt64?

  /// The language of the text. `nil`: the stream's.
  var language: LanguageCode?
  var isTranslation = false

  let fault: ResultFault
}
