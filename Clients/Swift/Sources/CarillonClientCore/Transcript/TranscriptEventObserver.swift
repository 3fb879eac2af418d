/// Hears the transcription of the meeting. All calls come on main.
public protocol TranscriptEventObserver: AnyObject {
  /// Something was said, or the transcription itself changed.
  func transcriptEventDidReceive(transcriptEvent: any TranscriptEvent)
}

/// What an observer of the transcription hears: a `Transcript` or a `TranscriptionStatus`.
public protocol TranscriptEvent: AnyObject {}
