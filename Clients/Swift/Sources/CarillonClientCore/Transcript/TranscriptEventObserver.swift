/// An observer of the meeting's transcription. The library makes all calls on the main thread.
public protocol TranscriptEventObserver: AnyObject {
  /// A transcript arrived, or the status of the transcription changed.
  func transcriptEventDidReceive(transcriptEvent: any TranscriptEvent)
}

/// An event of the transcription: a `Transcript` or a `TranscriptionStatus`.
public protocol TranscriptEvent: AnyObject {}
