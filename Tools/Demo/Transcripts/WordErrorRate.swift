/// Words that are wrong, missing or too many, of all that were said.
struct WordErrorRate: Hashable, Sendable {
  /// Levenshtein's distance in words.
  let errors: Int
  let words: Int

  /// Compares what was heard with what was said; letter case and punctuation make no difference.
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

  /// 0 is best; of no words 0.
  var rate: Float { words == 0 ? 0 : Float(errors) / Float(words) }

  /// The rate of all together.
  static func sum(_ parts: [WordErrorRate]) -> WordErrorRate {
    WordErrorRate(
      errors: parts.reduce(0) { $0 + $1.errors }, words: parts.reduce(0) { $0 + $1.words })
  }

  /// How many different words two texts have in common.
  static func commonWords(of text: String, and other: String) -> Int {
    Set(words(text)).intersection(words(other)).count
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && $0 != "'" }.map(String.init)
  }
}
