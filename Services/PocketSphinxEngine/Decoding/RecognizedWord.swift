/// A word as the decoder heard it.
struct RecognizedWord: Sendable, Hashable {
  var text: String

  /// Where the word begins, in samples from the beginning of the utterance.
  var start: UInt64

  /// Where the word ends, in samples from the beginning of the utterance.
  var end: UInt64

  /// How sure the decoder is, 0-1; `nil` in partial results.
  var confidence: Double?
}
