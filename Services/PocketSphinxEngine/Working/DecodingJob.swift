import Wire

/// A job of a worker. Jobs run in order.
enum DecodingJob: Sendable {
  /// A talker's stream started.
  case start(V1.EngineStreamStarted, AttachmentID)
  /// A talker's speech arrived.
  case hear(V1.EngineAudio, [Int16], AttachmentID)
  /// A talker's stream ended.
  case end(V1.EngineStreamEnded, AttachmentID)
  /// An attachment ended, so the thread drops the attachment's work.
  case forget(AttachmentID)
}
