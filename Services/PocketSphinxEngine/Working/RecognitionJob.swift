import Wire

/// A job of a worker. Jobs run in order.
enum RecognitionJob: Sendable {
  /// A talker's stream started.
  case start(V1.EngineStreamStarted, TranscriptionAttachmentID)
  /// A talker's speech arrived.
  case hear(V1.EngineAudio, [Int16], TranscriptionAttachmentID)
  /// A talker's stream ended.
  case end(V1.EngineStreamEnded, TranscriptionAttachmentID)
  /// An attachment ended, so the thread drops the attachment's work.
  case forget(TranscriptionAttachmentID)
}
