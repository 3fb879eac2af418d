/// The recognized text of each voice in ``SpokenSentences/all``, in the order of this array.
struct RecognizedSpeech {
  /// The text of each voice's first sentence.
  let first: [String]

  /// The joined text of each voice's sentences after the first sentence.
  let later: [String]

  var firstErrors: WordErrors {
    .sum(zip(first, SpokenSentences.all).map { ($0, $1.first) })
  }

  var laterErrors: WordErrors {
    .sum(zip(later, SpokenSentences.all).map { ($0, $1.later.joined(separator: " ")) })
  }

  var errors: WordErrors { firstErrors + laterErrors }
}
