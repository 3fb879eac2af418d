/// The words of several speakers, and the text received under each speaker's name.
struct SpeakerTexts: Sendable {
  let lines: [DemoSentence]

  /// The text received for each speaker, in the speakers' order.
  let heard: [String]

  /// The error rate of all speakers together.
  var rate: WordErrorRate {
    .sum(zip(heard, lines).map { WordErrorRate(of: $0, beside: $1.text) })
  }

  /// Whether at most half of each speaker's words are wrong.
  var isMostlyUnderstood: Bool {
    zip(heard, lines).allSatisfy { WordErrorRate(of: $0, beside: $1.text).rate <= 0.5 }
  }

  /// A fault that misheard words cannot explain; `nil` if there is no such fault.
  ///
  /// A fault is a speaker without any recognized word, or a text that fits another speaker better.
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
