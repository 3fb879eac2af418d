import Wire

/// Names an attachment to one instance of transcription, in one of its lives.
struct AttachmentID: Hashable, Sendable {
  let number: UInt64
}

/// What a lane is to do, in order.
enum LaneWork: Sendable {
  /// A talker begins.
  case start(V1.EngineStreamStarted, AttachmentID)
  /// Speech of a talker.
  case hear(V1.EngineAudio, [Int16], AttachmentID)
  /// A talker is done.
  case end(V1.EngineStreamEnded, AttachmentID)
  /// Nobody wants anything of an attachment any more.
  case forget(AttachmentID)
}

/// What came of a lane's work.
struct LaneOutcome: Sendable, Hashable {
  let attachment: AttachmentID
  var results: [V1.EngineResult] = []
  var progress: [V1.EngineProgress] = []
  var failures: [V1.EngineFailure] = []

  /// Pieces that were worked through.
  var credit: UInt32 = 0
}
