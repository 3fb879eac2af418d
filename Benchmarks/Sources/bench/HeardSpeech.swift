/// What was heard of the voices of ``SpokenSentences/all``, in their order.
struct HeardSpeech {
  /// Of each voice's first sentence.
  let first: [String]

  /// Of all others of a voice, one behind the other.
  let later: [String]

  var firstErrors: WordErrors {
    .sum(zip(first, SpokenSentences.all).map { ($0, $1.first) })
  }

  var laterErrors: WordErrors {
    .sum(zip(later, SpokenSentences.all).map { ($0, $1.later.joined(separator: " ")) })
  }

  var errors: WordErrors { firstErrors + laterErrors }
}
