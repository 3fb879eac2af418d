/// The number of wrong, missing and additional words, and the number of spoken words.
struct WordErrorRate: Hashable, Sendable {
  /// The Levenshtein distance in words.
  let errors: Int
  let words: Int

  /// Compares recognized words with spoken words. Ignores letter case and punctuation.
  init(of heard: String, beside said: String) {
    let (heard, said) = (Self.words(heard), Self.words(said))
    var row = Array(0...heard.count)
    for (line, word) in said.enumerated() {
      var next = [line + 1]
      for (column, other) in heard.enumerated() {
        let changed = row[column] + (word == other ? 0 : 1)
        next.append(min(changed, row[column + 1] + 1, next[column] + 1))
      }
      row = next
    }
    (errors, words) = (row[heard.count], said.count)
  }

  private init(errors: Int, words: Int) { (self.errors, self.words) = (errors, words) }

  /// The number of errors per word. 0 is the best rate, and also the rate for a text without words.
  var rate: Float { words == 0 ? 0 : Float(errors) / Float(words) }

  /// Returns the rate of all parts together.
  static func sum(_ parts: [WordErrorRate]) -> WordErrorRate {
    WordErrorRate(
      errors: parts.reduce(0) { $0 + $1.errors }, words: parts.reduce(0) { $0 + $1.words })
  }

  /// Returns the number of different words that two texts share.
  static func commonWords(of text: String, and other: String) -> Int {
    Set(words(text)).intersection(words(other)).count
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && $0 != "'" }.map(String.init)
  }
}
