/// What became of a transcription. The raw values are the facade's.
public enum TranscriptionStatusType: Int32, CaseIterable, Hashable, Sendable {
  /// An engine works on it.
  case started = 1
  /// The engine is gone; another one is looked for.
  case interrupted = 2
  /// Another engine was found.
  case resumed = 3
  /// An operator stopped it, or the meeting ended.
  case stopped = 4
  /// No engine can do it.
  case failed = 5
}
