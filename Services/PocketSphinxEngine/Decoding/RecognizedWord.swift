/// A word as the decoder heard it.
struct RecognizedWord: Sendable, Hashable {
  var text: String

  /// Samples from the beginning of the utterance.
  var start: UInt64
  var end: UInt64

  /// 0-1; `nil` in partial results.
  var confidence: Double?
}
