import Wire

/// What a worker is to do, in order.
enum DecodingJob: Sendable {
  /// A talker begins.
  case start(V1.EngineStreamStarted, AttachmentID)
  /// A talker's speech came.
  case hear(V1.EngineAudio, [Int16], AttachmentID)
  /// A talker is done.
  case end(V1.EngineStreamEnded, AttachmentID)
  /// An attachment is over; its work is dropped.
  case forget(AttachmentID)
}
