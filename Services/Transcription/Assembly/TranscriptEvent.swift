import MeetingModel

/// What is published of a transcription.
enum TranscriptEvent: Sendable, Hashable {
  /// What became of it.
  case status(TranscriptionStatus)
  /// What was said, oldest first.
  case results([TranscriptResult])
}

/// What became of a transcription, and when.
struct TranscriptionStatus: Sendable, Hashable {
  var type: TranscriptionStatusType

  /// Milliseconds since 1970-01-01T00:00:00Z.
  var milliseconds: UInt64

  /// The region that was configured, or empty.
  var region: String

  /// The configuration as JSON.
  var configuration: String

  /// An explanation for a person; may be empty.
  var message: String
}
