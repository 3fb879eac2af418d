import TestSupport

/// The number of wrong, missing and added words, and the number of spoken words.
struct WordErrors {
  /// The Levenshtein distance in words.
  let errors: Double
  let words: Int

  var rate: Double { words == 0 ? 0 : errors / Double(words) }

  private init(errors: Double, words: Int) { (self.errors, self.words) = (errors, words) }

  init(of heard: String, beside said: String) {
    words = said.split(separator: " ").count
    errors = wordErrorRate(heard, said) * Double(words)
  }

  static func + (left: WordErrors, right: WordErrors) -> WordErrors {
    WordErrors(errors: left.errors + right.errors, words: left.words + right.words)
  }

  /// Returns the sums of the errors and of the spoken words over all pairs. Each pair is a
  /// recognized text and the spoken text.
  static func sum(_ pairs: some Sequence<(heard: String, said: String)>) -> WordErrors {
    pairs.reduce(WordErrors(errors: 0, words: 0)) {
      $0 + WordErrors(of: $1.heard, beside: $1.said)
    }
  }
}
