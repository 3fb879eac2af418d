import Wire

/// The outcome of a job.
struct RecognitionOutcome: Sendable, Hashable {
  let attachment: TranscriptionAttachmentID
  var results: [V1.EngineResult] = []
  var progress: [V1.EngineProgress] = []
  var failures: [V1.EngineFailure] = []

  /// The number of speech chunks that the decoder has processed.
  var credit: UInt32 = 0
}
