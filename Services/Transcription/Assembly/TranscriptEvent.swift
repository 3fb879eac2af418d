import MeetingModel

/// An event of a transcription.
enum TranscriptEvent: Sendable, Hashable {
  /// A change of the transcription's state.
  case status(TranscriptionStatus)
  /// Results, oldest first.
  case results([TranscriptResult])
}

/// A change of a transcription's state, with the time of the change.
struct TranscriptionStatus: Sendable, Hashable {
  var type: TranscriptionStatusType

  /// The time of the change, in milliseconds since 1970-01-01T00:00:00Z.
  var milliseconds: UInt64

  /// The configured region; may be empty.
  var region: String

  /// The configuration as JSON.
  var configuration: String

  /// An explanation for a human reader; may be empty.
  var message: String
}
