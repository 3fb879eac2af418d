/// What an observer of the transcription hears: a `Transcript` or a `TranscriptionStatus`.
public protocol TranscriptEvent: AnyObject {}
