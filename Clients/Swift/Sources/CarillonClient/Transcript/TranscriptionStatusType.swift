/// What became of the transcription.
public enum TranscriptionStatusType: Int, CaseNamed {
  case unknown = 0
  case started = 1
  case interrupted = 2
  case resumed = 3
  case stopped = 4
  case failed = 5
}
