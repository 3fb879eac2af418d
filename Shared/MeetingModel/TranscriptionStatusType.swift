/// The status of a transcription; the raw values are those of the client libraries' facade.
public enum TranscriptionStatusType: Int32, CaseIterable, Hashable, Sendable {
  /// An engine transcribes the meeting.
  case started = 1
  /// The service lost the engine, and searches for another engine.
  case interrupted = 2
  /// Another engine has taken over.
  case resumed = 3
  /// An operator stopped the transcription, or the meeting ended.
  case stopped = 4
  /// No engine supports the request.
  case failed = 5
}
