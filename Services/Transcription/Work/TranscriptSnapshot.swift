/// What runs in a meeting and what is being said.
struct TranscriptSnapshot: Sendable, Hashable {
  /// The last one; `nil`: nothing was ever started.
  var status: TranscriptionStatus?

  /// Results that are not final yet, oldest first.
  var open: [TranscriptResult]

  /// Who chose languages, in no particular order.
  var choices: [LanguageChoices.Choice]
}
