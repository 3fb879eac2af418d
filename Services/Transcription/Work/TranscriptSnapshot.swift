/// The status and the open results of a meeting's transcription.
struct TranscriptSnapshot: Sendable, Hashable {
  /// The last status; `nil` if the meeting has had no transcription.
  var status: TranscriptionStatus?

  /// The results that are not final yet, oldest first.
  var open: [TranscriptResult]

  /// The chosen languages, in no particular order.
  var choices: [LanguageChoices.Choice]
}
