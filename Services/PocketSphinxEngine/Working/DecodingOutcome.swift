import Wire

/// What came of a job.
struct DecodingOutcome: Sendable, Hashable {
  let attachment: AttachmentID
  var results: [V1.EngineResult] = []
  var progress: [V1.EngineProgress] = []
  var failures: [V1.EngineFailure] = []

  /// How many pieces of speech were worked through.
  var credit: UInt32 = 0
}
