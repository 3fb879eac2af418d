/// A word that the decoder recognized.
struct RecognizedWord: Sendable, Hashable {
  var text: String

  /// The start of the word, in samples from the beginning of the utterance.
  var start: UInt64

  /// The end of the word, in samples from the beginning of the utterance.
  var end: UInt64

  /// The confidence of the decoder, 0-1; `nil` in partial results.
  var confidence: Double?
}
