/// What several speakers said, and what was read under the name of each.
struct SpokenText: Sendable {
  let lines: [SpokenLine]

  /// What was heard of each, in the speakers' order.
  let heard: [String]

  /// The rate of all speakers together.
  var rate: WordErrorRate {
    .sum(zip(heard, lines).map { WordErrorRate(of: $0, beside: $1.text) })
  }

  /// Whether no speaker has more than half of the words wrong.
  var isMostlyUnderstood: Bool {
    zip(heard, lines).allSatisfy { WordErrorRate(of: $0, beside: $1.text).rate <= 0.5 }
  }

  /// What cannot be a word misheard: nothing is understood of a speaker, or what is read under one
  /// name is rather what another speaker said. `nil` if there is nothing of the kind.
  var fault: String? {
    for (line, text) in zip(lines, heard) {
      let own = WordErrorRate.commonWords(of: text, and: line.text)
      guard own > 0 else { return "no word of \"\(line.text)\" is understood" }
      let others = lines.map { WordErrorRate.commonWords(of: text, and: $0.text) }
      guard own >= others.max() ?? own else {
        return "\"\(text)\" is under another's name"
      }
    }
    return nil
  }
}
