/// Hears the transcription of the meeting. All calls come on main.
public protocol TranscriptEventObserver: AnyObject {
  /// Something was said, or the transcription itself changed.
  func transcriptEventDidReceive(transcriptEvent: any TranscriptEvent)
}
